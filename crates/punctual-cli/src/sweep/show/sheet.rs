//! A sweep for spreadsheets: a row per machine and request.

use crate::show::confidence;
use punctual_data::distribution::columns;
use punctual_data::table::{Table, or_empty};
use punctual_lab::sweep::{MachineSweep, Row, SweepRecording};

pub(super) fn of(recording: &SweepRecording) -> Table {
    let before = "machine by requested_ns interval_ns time_get_time_least_step_ms \
                  time_get_time_most_step_ms article_mean_ms";
    let after = [
        "samples_thrown_away",
        "published_case",
        "agrees",
        "confidence",
    ];
    let rows = recording.machines.iter().flat_map(|machine| {
        let rows = machine.rows.iter();
        rows.map(|row| cells(recording, machine, row))
    });
    let sheet = Table::sheet(before).and(columns("sleep_1"));
    sheet.and(after).with(rows)
}

fn cells(recording: &SweepRecording, machine: &MachineSweep, row: &Row) -> Vec<String> {
    let (least, most) = row.time_get_time_steps_ms;
    let published = row.published.as_ref();
    let before = [
        machine.machine.clone(),
        recording.question.by.to_string(),
        row.requested_ns.to_string(),
        row.interval_ns.to_string(),
        least.to_string(),
        most.to_string(),
        row.article_mean_ms.to_string(),
    ];
    let after = [
        row.samples_thrown_away.to_string(),
        or_empty(published.map(|published| &published.case)),
        or_empty(published.map(|published| published.agrees)),
        confidence::word(row.confidence.as_ref()),
    ];
    before
        .into_iter()
        .chain(row.sleep_1.exact())
        .chain(after)
        .collect()
}
