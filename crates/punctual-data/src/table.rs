//! A table and its three formats: text for a terminal, Markdown for an issue tracker, and CSV for a
//! spreadsheet.

use crate::csv;
use crate::escape::escaped;
use crate::literal::literal;
use crate::text::Text;
use std::io;

/// The width of a column that names methods: the longest name, of `punctual-coarse` under a request.
pub const NAME_WIDTH: usize = 16;

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    name: String,
    /// The width on a terminal; a longer cell pushes the following ones to the right.
    width: usize,
    place: Place,
}

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Left, and without its name on a terminal, because its contents are obvious.
    Row,
    Left,
    Right,
}

impl Column {
    /// A column that names the rows.
    pub fn of_rows(name: &str, width: usize) -> Self {
        Self::new(name, width, Place::Row)
    }

    /// A column of words.
    pub fn left(name: &str, width: usize) -> Self {
        Self::new(name, width, Place::Left)
    }

    /// A column of figures.
    pub fn right(name: &str, width: usize) -> Self {
        Self::new(name, width, Place::Right)
    }

    fn new(name: &str, width: usize, place: Place) -> Self {
        Self {
            name: escaped(name).into_owned(),
            width,
            place,
        }
    }

    fn padded(&self, text: &str) -> String {
        let width = self.width;
        match self.place {
            Place::Row | Place::Left => format!("{text:width$}"),
            Place::Right => format!("{text:>width$}"),
        }
    }
}

/// Rows with one cell for each column.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn of(columns: Vec<Column>) -> Self {
        let rows = Vec::new();
        Self { columns, rows }
    }

    /// A table of words under these names.
    pub fn wide(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self::of(Vec::new()).and(names)
    }

    /// A table for spreadsheets: exact figures, with their units in the columns' names, which spaces separate.
    pub fn sheet(names: &str) -> Self {
        Self::wide(names.split(' '))
    }

    /// The same sheet with further columns.
    pub fn and(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let columns = names.into_iter().map(|name| Column::left(name.as_ref(), 0));
        self.columns.extend(columns);
        self
    }

    /// Adds a row. Its cells are [escaped], because that decides how wide they are.
    ///
    /// # Panics
    /// If a row has more or fewer cells than there are columns.
    pub fn push(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.columns.len(), "{cells:?}");
        let shown = cells.iter().map(|cell| escaped(cell).into_owned());
        self.rows.push(shown.collect());
    }

    /// The same table with these rows.
    pub fn with(mut self, rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        rows.into_iter().for_each(|row| self.push(row));
        self
    }

    /// The same table with another's columns before its own, row by row.
    #[must_use]
    pub fn after(mut self, before: Self) -> Self {
        self.columns.splice(..0, before.columns);
        for (row, before) in self.rows.iter_mut().zip(before.rows) {
            row.splice(..0, before);
        }
        self
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// As text for a terminal.
    pub fn text(&self, out: &mut Text) -> io::Result<()> {
        let head = self.columns.iter().map(|column| match column.place {
            Place::Row => "",
            Place::Left | Place::Right => column.name.as_str(),
        });
        self.line(out, head)?;
        let mut rows = self.rows.iter();
        rows.try_for_each(|row| self.line(out, row.iter().map(String::as_str)))
    }

    fn line<'a>(&self, out: &mut Text, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let cells = self.columns.iter().zip(cells);
        let line: String = cells.map(|(column, cell)| column.padded(cell)).collect();
        writeln!(out, "{}", line.trim_end())
    }

    /// As Markdown for issue trackers.
    pub fn markdown(&self, out: &mut Text) -> io::Result<()> {
        let names = self.columns.iter().map(|column| column.name.as_str());
        writeln!(out, "| {} |", joined(names))?;
        let rules = self.columns.iter().map(|column| match column.place {
            Place::Row | Place::Left => "---|",
            Place::Right => "--:|",
        });
        writeln!(out, "|{}", rules.collect::<String>())?;
        let mut rows = self.rows.iter();
        rows.try_for_each(|row| writeln!(out, "| {} |", joined(row.iter().map(String::as_str))))
    }

    /// As CSV for spreadsheets.
    pub fn csv(&self, out: &mut Text) -> io::Result<()> {
        csv::line(out, self.columns.iter().map(|column| column.name.as_str()))?;
        let mut rows = self.rows.iter();
        rows.try_for_each(|row| csv::line(out, row.iter().map(String::as_str)))
    }
}

/// A cell that may be empty.
pub fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn joined<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.map(|cell| literal(cell.trim())).collect();
    cells.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::written;

    fn table() -> Table {
        let columns = vec![
            Column::of_rows("method", 8),
            Column::right("p50", 6),
            Column::left("  verdict", 11),
        ];
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        Table::of(columns).with([row(["a|b", "5 ns", "  no, late"]), row(["c", "-", ""])])
    }

    #[test]
    fn text_is_aligned_and_nothing_trails() {
        let text = "           p50  verdict\na|b       5 ns  no, late\nc            -\n";
        assert_eq!(written(|out| table().text(out)), text);
    }

    #[test]
    fn markdown_names_every_column_and_escapes() {
        let text = "| method | p50 | verdict |\n|---|--:|---|\n| a\\|b | 5 ns | no, late |\n\
                    | c | - |  |\n";
        assert_eq!(written(|out| table().markdown(out)), text);
    }

    #[test]
    fn csv_quotes_what_has_commas() {
        let sheet = Table::sheet("method p50_ns");
        let sheet = sheet.with([vec!["a,b".to_owned(), "5".to_owned()]]);
        assert_eq!(written(|out| sheet.csv(out)), "method,p50_ns\n\"a,b\",5\n");
    }

    #[test]
    fn a_table_stands_after_another() {
        let sheet = |name, cell: &str| Table::sheet(name).with([vec![cell.to_owned()]]);
        let both = sheet("b", "2").after(sheet("a", "1"));
        assert_eq!(written(|out| both.csv(out)), "a,b\n1,2\n");
    }

    #[test]
    fn a_cell_is_as_wide_as_it_is_shown_and_has_one_line() {
        let columns = vec![Column::left("who", 8), Column::right("ns", 4)];
        let row = ["a\u{7}\nb", "5"].map(str::to_owned).to_vec();
        let table = Table::of(columns).with([row]);
        let text = written(|out| table.text(out));
        assert_eq!(text, "who       ns\na\\u{7}\\nb   5\n");
        let page = written(|out| table.markdown(out));
        assert_eq!(page.lines().count(), 3);
        let sheet = written(|out| table.csv(out));
        assert_eq!(sheet, "who,ns\na\\u{7}\\nb,5\n");
    }
}
