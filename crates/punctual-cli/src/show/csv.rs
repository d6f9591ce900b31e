//! A recording as a spreadsheet reads it: a row per method, plain numbers, units in the head.

use punctual_lab::recording::{Recording, SeriesRecord, Summary};
use std::io::{self, Write};

/// Writes all of it.
pub fn csv(out: &mut dyn Write, recording: &Recording) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(head())?;
    for series in &recording.series {
        rows.write_record(row(recording, series))?;
    }
    rows.flush()
}

const STATISTICS: [&str; 6] = ["p50", "p90", "p99", "p99.9", "max", "mean"];

fn head() -> Vec<String> {
    let before = ["method", "period_ns", "load", "priority", "on"];
    let counts = ["count", "early", "missed", "processor_share"];
    let lateness = ["per_wake", "per_deadline"].iter().flat_map(|which| {
        let named = move |statistic| format!("{which}_{statistic}_ns");
        STATISTICS.into_iter().map(named)
    });
    let fixed = before.iter().chain(&counts).map(ToString::to_string);
    fixed.chain(lateness).collect()
}

fn row(recording: &Recording, series: &SeriesRecord) -> Vec<String> {
    let asked = &recording.asked;
    let before = [
        series.method.clone(),
        asked.period_ns.to_string(),
        asked.load.to_string(),
        asked.priority.clone(),
        asked.on.clone().unwrap_or_default(),
        series.count.to_string(),
        series.early.to_string(),
        series.missed.to_string(),
        series.processor_share.to_string(),
    ];
    let lateness = [&series.per_wake, &series.per_deadline];
    let lateness = lateness.into_iter().flat_map(statistics);
    before
        .into_iter()
        .chain(lateness.map(|nanos| nanos.to_string()))
        .collect()
}

fn statistics(summary: &Summary) -> [u64; STATISTICS.len()] {
    let Summary {
        p50_ns,
        p90_ns,
        p99_ns,
        p999_ns,
        max_ns,
        mean_ns,
        ..
    } = *summary;
    [p50_ns, p90_ns, p99_ns, p999_ns, max_ns, mean_ns]
}
