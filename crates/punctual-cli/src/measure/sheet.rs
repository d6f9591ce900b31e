//! A measurement for spreadsheets.

use crate::show::confidence;
use punctual_data::distribution::{Distribution, columns};
use punctual_data::quantity::period_ns;
use punctual_data::table::{Table, or_empty};
use punctual_lab::measure::{Recording, SeriesRecord};

/// A recording, a row per method.
pub(super) fn sheet(recording: &Recording) -> Table {
    let before = [
        "method",
        "period_ns",
        "load",
        "priority",
        "on",
        "confidence",
    ];
    let counts = ["count", "early", "missed", "processor_share"];
    let lateness = ["per_wake", "per_deadline"].into_iter().flat_map(columns);
    let fixed = before.iter().chain(&counts).map(ToString::to_string);
    let names: Vec<_> = fixed.chain(lateness).collect();
    let rows = recording.series.iter().map(|series| row(recording, series));
    Table::sheet(&names).with(rows)
}

fn row(recording: &Recording, series: &SeriesRecord) -> Vec<String> {
    let asked = &recording.question;
    let before = [
        series.method.clone(),
        period_ns(asked.period).to_string(),
        asked.conditions.load.to_string(),
        asked.conditions.priority.to_string(),
        or_empty(asked.on.as_ref().map(|on| &on.machine)),
        confidence::word(series.confidence.as_ref()),
        series.count.to_string(),
        series.early.to_string(),
        series.missed.to_string(),
        series.processor_share.to_string(),
    ];
    let lateness = [&series.per_wake, &series.per_deadline];
    let lateness = lateness.into_iter().flat_map(Distribution::exact);
    before.into_iter().chain(lateness).collect()
}
