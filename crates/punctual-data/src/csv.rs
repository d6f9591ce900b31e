//! Rows for spreadsheets, in which nothing is computed.

use crate::text::Text;
use std::borrow::Cow;
use std::io;

/// Writes a row.
pub(super) fn line<'a>(out: &mut Text, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells.map(|cell| literal(cell).into_owned()))?;
    let line = writer.into_inner().map_err(|error| error.into_error())?;
    let line = String::from_utf8_lossy(&line);
    writeln!(out, "{}", line.trim_end_matches('\n'))
}

/// A cell that no spreadsheet computes: text that would be a formula gets an apostrophe before it.
///
/// <https://owasp.org/www-community/attacks/CSV_Injection>
fn literal(cell: &str) -> Cow<'_, str> {
    /// The beginnings of formulas, and the same characters in full width. Tabs and line ends are
    /// escaped before.
    const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let is_number = || cell.parse::<f64>().is_ok_and(f64::is_finite);
    match cell.starts_with(FORMULA) && !is_number() {
        true => format!("'{cell}").into(),
        false => cell.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_that_begins_like_a_formula_gets_an_apostrophe() {
        for plain in [
            "-5",
            "+0.25",
            "-1e-9",
            "a=1",
            "",
            "windows-7",
            "10 µs",
            "'=1",
        ] {
            assert_eq!(literal(plain), plain);
        }
        for formula in ["=1+1", "+high-res", "-", "@SUM(A1)", "-inf", "-2+3", "＝1"] {
            assert_eq!(literal(formula), format!("'{formula}"));
        }
    }

    #[test]
    fn a_row_stays_a_row() {
        let cells = ["a,\"b\"", "=cmd|' /C calc'!A0", "c"];
        let mut bytes = Vec::new();
        line(&mut Text::on(&mut bytes), cells.into_iter()).unwrap();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(bytes.as_slice());
        let read = reader.records().next().unwrap().unwrap();
        assert_eq!(read, vec!["a,\"b\"", "'=cmd|' /C calc'!A0", "c"]);
    }
}
