//! The two tables of lateness: a row per method.

use punctual_data::distribution::{Distribution, Figure};
use punctual_data::quantity::{nanos, percent};
use punctual_data::table::{Column, NAME_WIDTH, Table};
use punctual_lab::measure::SeriesRecord;

/// Lateness per deadline, missed ones included, then counts, then cost.
pub fn per_deadline(series: &[&SeriesRecord]) -> Table {
    let mut columns = columns();
    columns.extend([
        Column::right("early", 6),
        Column::right("missed", 7),
        Column::right("cpu", 6),
    ]);
    Table::of(columns).with(series.iter().map(|series| {
        let counts = [
            series.early.to_string(),
            series.missed.to_string(),
            percent(series.processor_share),
        ];
        cells(&series.method, &series.per_deadline, counts)
    }))
}

/// The title of [`per_wake`].
pub const PER_WAKE: &str = "The same per wake, without missed deadlines";

/// Lateness per wake, then its two parts if the system tells them.
pub fn per_wake(series: &[&SeriesRecord]) -> Table {
    let mut columns = columns();
    columns.extend([Column::right("timer", 9), Column::right("queue", 9)]);
    Table::of(columns).with(series.iter().map(|series| {
        let parts = [&series.timer, &series.queue].map(|part| p99(part.as_ref()));
        cells(&series.method, &series.per_wake, parts)
    }))
}

/// The meaning of the last columns of [`per_wake`].
pub const TIMER_AND_QUEUE: &str =
    "timer: p99 until the thread was ready; queue: p99 of waiting for a processor";

fn columns() -> Vec<Column> {
    let statistics = Figure::OF_TABLES.map(|figure| Column::right(figure.name(), 9));
    let mut columns = vec![Column::of_rows("method", NAME_WIDTH)];
    columns.extend(statistics);
    columns
}

fn cells<const N: usize>(method: &str, summary: &Distribution, others: [String; N]) -> Vec<String> {
    let mut cells = vec![method.to_owned()];
    cells.extend(summary.shown());
    cells.extend(others);
    cells
}

fn p99(part: Option<&Distribution>) -> String {
    part.map_or("unknown".to_owned(), |part| nanos(part.p99_ns))
}
