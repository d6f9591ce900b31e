//! Figures as spreadsheets read them: plain numbers, whose units are in the columns' names.

use super::table::Table;
use punctual_lab::recording::{Recording, SeriesRecord, Summary};

/// A recording, a row per method.
pub(super) fn sheet(recording: &Recording) -> Table {
    let before = ["method", "period_ns", "load", "priority", "on"];
    let counts = ["count", "early", "missed", "processor_share"];
    let lateness = ["per_wake", "per_deadline"].into_iter().flat_map(named);
    let fixed = before.iter().chain(&counts).map(ToString::to_string);
    let names: Vec<_> = fixed.chain(lateness).collect();
    let rows = recording.series.iter().map(|series| row(recording, series));
    Table::sheet(&names).with(rows)
}

const STATISTICS: [&str; 6] = ["p50", "p90", "p99", "p99.9", "max", "mean"];

/// The names of the columns of a summary: `waits_p50_ns`.
pub(super) fn named(what: &str) -> [String; STATISTICS.len()] {
    STATISTICS.map(|statistic| format!("{what}_{statistic}_ns"))
}

/// The cells of a summary.
pub(super) fn statistics(summary: &Summary) -> [String; STATISTICS.len()] {
    let Summary {
        p50_ns,
        p90_ns,
        p99_ns,
        p999_ns,
        max_ns,
        mean_ns,
        ..
    } = *summary;
    [p50_ns, p90_ns, p99_ns, p999_ns, max_ns, mean_ns].map(|nanos| nanos.to_string())
}

/// A cell that may be empty.
pub(super) fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn row(recording: &Recording, series: &SeriesRecord) -> Vec<String> {
    let asked = &recording.asked;
    let before = [
        series.method.clone(),
        asked.period_ns.to_string(),
        asked.load.to_string(),
        asked.priority.clone(),
        or_empty(asked.on.as_ref()),
        series.count.to_string(),
        series.early.to_string(),
        series.missed.to_string(),
        series.processor_share.to_string(),
    ];
    let lateness = [&series.per_wake, &series.per_deadline];
    let lateness = lateness.into_iter().flat_map(statistics);
    before.into_iter().chain(lateness).collect()
}
