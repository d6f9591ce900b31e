//! What a subject came to: tables and aims, in 80 columns and as JSON.

use crate::failure::Failure;
use crate::statistics::Spread;
use punctual_data::table;
use punctual_data::text::{Text, beside, heading, paragraph, titled};
use punctual_lab::{Machine, Native};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::env;
use std::io;

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Report {
    /// What comes first, if a sentence answers the question.
    pub answer: Option<String>,
    pub tables: Vec<Table>,
    pub aims: Vec<Aim>,
    /// What the columns mean.
    pub note: String,
}

/// Rows of figures, and of a few words.
#[derive(Debug)]
pub struct Table {
    /// Its name in JSON.
    key: &'static str,
    title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// Its figures in JSON are as they were measured, in the unit that its key names.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    key: &'static str,
    /// What a person sees of it. `None`: nothing.
    shown: Option<Shown>,
}

#[derive(Debug, Clone, Copy)]
struct Shown {
    name: &'static str,
    width: usize,
    /// How its figures are written. `None`: words.
    figure: Option<fn(f64) -> String>,
}

/// What stands in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Words(String),
    Count(u64),
    Figure(f64),
    Spread(Spread),
    Missing,
}

/// A row of whatever can stand in one.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::report::Cell::from($cell)),*] };
}

impl Report {
    /// Prints it. What the machine is and how the figures are made again goes with it.
    pub fn print(&self, as_json: bool, interrupted: bool) -> Result<(), Failure> {
        let machine = Native::new().environment();
        if as_json {
            let mut all = Map::new();
            for table in &self.tables {
                // Tables of one key are one to a program.
                match all.entry(table.key).or_insert_with(|| json!([])) {
                    Value::Array(rows) => rows.extend(table.json()),
                    _ => unreachable!("made above"),
                }
            }
            all.insert("machine".to_owned(), serde_json::to_value(machine)?);
            all.insert("command".to_owned(), command(env::args().skip(1)).into());
            all.insert("interrupted".to_owned(), interrupted.into());
            all.insert("answer".to_owned(), self.answer.clone().into());
            all.insert("aims".to_owned(), serde_json::to_value(&self.aims)?);
            return Ok(punctual_command::output::json(&all).map_err(|_| "cannot write")?);
        }
        let print = |out: &mut Text| {
            self.write(out)?;
            heading(out, "Measured on")?;
            machine
                .lines()
                .iter()
                .try_for_each(|line| writeln!(out, "{line}"))?;
            paragraph(out, &command(env::args().skip(1)))
        };
        Ok(punctual_command::output::print(print).map_err(|_| "cannot write")?)
    }

    fn write(&self, out: &mut Text) -> io::Result<()> {
        if let Some(answer) = &self.answer {
            paragraph(out, answer)?;
        }
        for table in self.tables.iter().filter(|table| !table.rows.is_empty()) {
            titled(out, &table.title)?;
            table.text().text(out)?;
        }
        if !self.note.is_empty() {
            writeln!(out)?;
            paragraph(out, &self.note)?;
        }
        if !self.aims.is_empty() {
            heading(out, "Aims")?;
        }
        self.aims.iter().try_for_each(|aim| aim.write(out))
    }
}

impl Table {
    pub fn new(key: &'static str, title: impl Into<String>, columns: Vec<Column>) -> Self {
        let (title, rows) = (title.into(), Vec::new());
        Self {
            key,
            title,
            columns,
            rows,
        }
    }

    /// Adds a row: see [`row!`].
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "{}: {row:?}", self.key);
        self.rows.push(row);
    }

    fn text(&self) -> table::Table {
        let shown = || self.columns.iter().map(|column| column.shown);
        let columns = shown().flatten().map(|shown| match shown.figure {
            None => table::Column::left(shown.name, shown.width),
            Some(_) => table::Column::right(shown.name, shown.width),
        });
        let rows = self.rows.iter().map(|row| {
            let cells = shown()
                .zip(row)
                .filter_map(|(shown, cell)| Some((shown?, cell)));
            cells.map(|(shown, cell)| cell.text(shown.figure)).collect()
        });
        table::Table::of(columns.collect()).with(rows)
    }

    fn json(&self) -> Vec<Value> {
        let object = |row: &Vec<Cell>| {
            let cells = self.columns.iter().zip(row);
            let cells = cells.map(|(column, cell)| (column.key.to_owned(), cell.json()));
            Value::Object(cells.collect())
        };
        self.rows.iter().map(object).collect()
    }
}

impl Column {
    /// Words, from the left.
    pub const fn words(key: &'static str, name: &'static str, width: usize) -> Self {
        let shown = Some(Shown {
            name,
            width,
            figure: None,
        });
        Self { key, shown }
    }

    /// Figures that are written so, from the right.
    pub const fn figure(
        key: &'static str,
        name: &'static str,
        width: usize,
        write: fn(f64) -> String,
    ) -> Self {
        let shown = Some(Shown {
            name,
            width,
            figure: Some(write),
        });
        Self { key, shown }
    }

    /// Only in JSON.
    pub const fn hidden(key: &'static str) -> Self {
        Self { key, shown: None }
    }
}

impl Cell {
    fn text(&self, figure: Option<fn(f64) -> String>) -> String {
        let figure = figure.unwrap_or(|figure| figure.to_string());
        match self {
            Self::Words(words) => words.clone(),
            #[expect(clippy::cast_precision_loss, reason = "shown with fewer digits")]
            Self::Count(count) => figure(*count as f64),
            Self::Figure(value) => figure(*value),
            Self::Spread(Spread { median, low, high }) => {
                format!("{} ±{}", figure(*median), figure((high - low) / 2.0))
            }
            Self::Missing => "-".to_owned(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Words(words) => json!(words),
            Self::Count(count) => json!(count),
            Self::Figure(figure) => json!(figure),
            Self::Spread(spread) => json!(spread),
            Self::Missing => Value::Null,
        }
    }
}

impl From<&str> for Cell {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

macro_rules! cell_from {
    ($($from:ty => $kind:ident),*) => {
        $(impl From<$from> for Cell {
            fn from(it: $from) -> Self {
                Self::$kind(it.into())
            }
        })*
    };
}

cell_from!(String => Words, u64 => Count, u32 => Count, f64 => Figure, Spread => Spread);

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(it: Option<T>) -> Self {
        it.map_or(Self::Missing, Into::into)
    }
}

/// Nanoseconds as microseconds, with as many decimals as mean something.
pub fn micros(nanos: f64) -> String {
    let decimals = match nanos {
        ..1e5 => 2,
        1e5..1e7 => 1,
        _ => 0,
    };
    format!("{:.decimals$}", nanos / 1e3)
}

pub fn plain<const DECIMALS: usize>(figure: f64) -> String {
    format!("{figure:.DECIMALS$}")
}

/// What was set out to be reached, and whether it was.
#[derive(Debug, Clone, Serialize)]
pub struct Aim {
    pub aim: String,
    pub reached: bool,
    /// `None`: it was not measured, which does not count as reached.
    pub value: Option<f64>,
}

/// Whether more is better.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    AtLeast(f64),
    AtMost(f64),
    Below(f64),
}

impl Aim {
    pub fn new(what: &str, bound: Bound, value: Option<f64>) -> Self {
        let (words, limit, holds): (_, _, fn(&f64, &f64) -> bool) = match bound {
            Bound::AtLeast(least) => ("at least", least, |value, least| value >= least),
            Bound::AtMost(most) => ("at most", most, |value, most| value <= most),
            Bound::Below(limit) => ("below", limit, |value, limit| value < limit),
        };
        Self {
            aim: format!("{what}: {words} {limit}"),
            reached: value.is_some_and(|value| holds(&value, &limit)),
            value,
        }
    }

    fn write(&self, out: &mut Text) -> io::Result<()> {
        let value = self.value.map_or("-".to_owned(), plain::<2>);
        let reached = if self.reached {
            "reached"
        } else {
            "not reached"
        };
        let found = format!("{value:>8}  {reached}");
        beside(out, &found, FOUND, &self.aim)
    }
}

/// The width of what was found of an aim.
const FOUND: usize = 23;

/// The command that makes the same figures, as a shell takes it.
pub fn command(arguments: impl Iterator<Item = String>) -> String {
    let quoted = arguments.map(|it| match it.contains(' ') {
        true => format!("'{it}'"),
        false => it,
    });
    let run = "cargo run --release --manifest-path bench/Cargo.toml --".to_owned();
    std::iter::once(run)
        .chain(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_kept_or_not() {
        let reached = |bound, value| Aim::new("it", bound, value).reached;
        assert!(reached(Bound::AtLeast(5.0), Some(5.0)));
        assert!(!reached(Bound::AtLeast(5.0), Some(4.9)));
        assert!(reached(Bound::AtMost(5.0), Some(5.0)));
        assert!(reached(Bound::Below(9.0), Some(8.9)));
        assert!(!reached(Bound::Below(9.0), Some(9.0)));
        assert!(!reached(Bound::Below(9.0), None));
    }

    #[test]
    fn a_row_is_written_for_people_and_whole_in_json() {
        let columns = vec![
            Column::words("contender", "contender", 12),
            Column::figure("p50_ns", "p50, µs", 14, micros),
            Column::hidden("waits"),
        ];
        let mut table = Table::new("rows", "Late", columns);
        let p50_ns = Spread {
            median: 1_500.0,
            low: 1_000.0,
            high: 3_000.0,
        };
        table.push(row!["a", p50_ns, 7_u64]);
        table.push(row!["b", None::<f64>, 0_u64]);
        let row = json!({"contender": "b", "p50_ns": null, "waits": 0});
        assert_eq!(table.json()[1], row);
        let report = Report {
            tables: vec![table],
            ..Report::default()
        };
        let mut text = Vec::new();
        report.write(&mut Text::on(&mut text)).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.contains("a               1.50 ±1.00\nb                        -\n"),
            "{text}"
        );
    }

    #[test]
    fn a_name_of_several_words_is_one_argument() {
        let words = ["waiting", "--contender", "pure spin"].map(str::to_owned);
        assert!(command(words.into_iter()).ends_with("-- waiting --contender 'pure spin'"));
    }
}
