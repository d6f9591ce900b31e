//! The two tables of lateness: a row per method.

use punctual_data::quantity::{nanos, percent};
use punctual_data::table::{Column, NAME_WIDTH, Table};
use punctual_lab::measure::SeriesRecord;
use punctual_lab::statistics::Summary;

/// Lateness per wake, then counts, then cost.
pub fn per_wake(series: &[&SeriesRecord]) -> Table {
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
        cells(&series.method, &series.per_wake, counts)
    }))
}

/// Lateness per deadline, then the two parts of lateness if the system tells them.
pub fn per_deadline(series: &[&SeriesRecord]) -> Table {
    let mut columns = columns();
    columns.extend([Column::right("timer", 9), Column::right("queue", 9)]);
    Table::of(columns).with(series.iter().map(|series| {
        let parts = [&series.timer, &series.queue].map(|part| p99(part.as_ref()));
        cells(&series.method, &series.per_deadline, parts)
    }))
}

/// The meaning of the last columns of [`per_deadline`].
pub const TIMER_AND_QUEUE: &str =
    "timer: p99 until the thread was ready; queue: p99 of waiting for a processor";

fn columns() -> Vec<Column> {
    let statistics = ["p50", "p90", "p99", "p99.9", "max"].map(|name| Column::right(name, 9));
    let mut columns = vec![Column::of_rows("method", NAME_WIDTH)];
    columns.extend(statistics);
    columns
}

fn cells<const N: usize>(method: &str, summary: &Summary, others: [String; N]) -> Vec<String> {
    let mut cells = vec![method.to_owned()];
    cells.extend(shown(summary));
    cells.extend(others);
    cells
}

/// The statistics of every table, in the order of its head.
fn shown(summary: &Summary) -> [String; 5] {
    let Summary {
        p50_ns,
        p90_ns,
        p99_ns,
        p999_ns,
        max_ns,
        ..
    } = *summary;
    [p50_ns, p90_ns, p99_ns, p999_ns, max_ns].map(nanos)
}

fn p99(part: Option<&Summary>) -> String {
    part.map_or("unknown".to_owned(), |part| nanos(part.p99_ns))
}
