//! How good this machine's clocks are: a table.

use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{fraction_of_nanos, nanos, rounded};
use punctual_lab::clocks::{AcrossRecord, ClockRecord, ClocksRecording};

/// Writes the table.
pub(super) fn write(out: &mut Markup, _: &str, recording: &ClocksRecording) {
    let rows: Vec<_> = recording.clocks.iter().map(row).collect();
    let head = [
        "clock",
        "counts",
        "step",
        "a reading",
        "back between processors",
        "rate",
    ];
    let caption = "For each clock: its smallest step, the cost of a reading, how often one processor's \
                   reading was behind another's, and its rate against the first clock";
    table(out, caption, &head, &rows);
}

fn row(clock: &ClockRecord) -> Vec<String> {
    let unknown = || "–".to_owned();
    vec![
        clock.clock.clone(),
        clock.counts.clone(),
        clock.least_step_ns.map_or_else(unknown, fraction_of_nanos),
        fraction_of_nanos(clock.cost_ns),
        clock.across.as_ref().map_or_else(unknown, back),
        rate(clock).unwrap_or_else(unknown),
    ]
}

fn back(across: &AcrossRecord) -> String {
    let compared = across.compared;
    match (across.back, across.furthest_back_ns) {
        (0, _) => format!("never in {compared}"),
        (back, Some(far)) => format!("{back} in {compared}, by up to {}", nanos(rounded(far))),
        (back, None) => format!("{back} in {compared}"),
    }
}

fn rate(clock: &ClockRecord) -> Option<String> {
    let (ppm, uncertainty) = (clock.rate_ppm?, clock.rate_uncertainty_ppm?);
    Some(format!("{ppm:+.2} ±{uncertainty:.2} ppm"))
}
