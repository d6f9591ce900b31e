//! A measurement for spreadsheets.

use crate::show::confidence;
use punctual_data::distribution::{Distribution, columns};
use punctual_data::quantity::period_ns;
use punctual_data::table::{Table, or_empty};
use punctual_lab::measure::{Recording, SeriesRecord};

/// A recording, a row per method.
pub(super) fn sheet(recording: &Recording) -> Table {
    let names = "method period_ns load priority on confidence count early missed processor_share";
    let names = Table::sheet(names).and(columns("per_wake"));
    let rows = recording.series.iter().map(|series| row(recording, series));
    names.and(columns("per_deadline")).with(rows)
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
