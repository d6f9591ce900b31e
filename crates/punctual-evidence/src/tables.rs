//! Published tables, which stand in files of their own beside the cases.

/// The file of one table: its name, and its text.
const FILES: [(&str, &str); 1] = [("mic-table.txt", include_str!("../cases/mic-table.txt"))];

/// A table of requested intervals and what they were answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// In the order in which they were asked for.
    pub rows: Vec<Row>,
}

/// A request and its answer, in units of 100 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// What was asked for.
    pub requested: u32,
    /// What was in force then.
    pub actual: u32,
}

impl Table {
    /// The table of that file.
    ///
    /// # Panics
    /// If there is none, or it is not as the directory's README describes it: they are part of the
    /// program.
    pub fn named(name: &str) -> Self {
        let file = FILES.into_iter().find(|(file, _)| *file == name);
        let (_, text) = file.unwrap_or_else(|| panic!("there is no table {name}"));
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self {
            rows: lines.flat_map(rows).collect(),
        }
    }
}

/// A line is `FIRST ACTUAL COUNT`: so many requests from the first on, each a unit larger than the
/// one before, and all answered alike.
fn rows(line: &str) -> Vec<Row> {
    let numbers: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
    let Ok([first, actual, count]) = numbers.as_deref() else {
        panic!("not a line of a table: {line:?}");
    };
    let requested = *first..first + count;
    let row = |requested| Row {
        requested,
        actual: *actual,
    };
    requested.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_every_row_that_was_published() {
        let rows = Table::named("mic-table.txt").rows;
        let requested: Vec<u32> = rows.iter().map(|row| row.requested).collect();
        assert_eq!(requested, Vec::from_iter(5_000..=6_000));
        let row = |requested, actual| Row { requested, actual };
        assert_eq!([rows[13], rows[14]], [row(5_013, 4_960), row(5_014, 5_013)]);
        assert_eq!(rows[1_000], row(6_000, 5_973));
    }
}
