//! How good this machine's clocks are: a table.

use super::markup::{Markup, table};
use super::text::nanos;
use punctual_lab::clocks::{AcrossRecord, ClockRecord, ClocksRecording};

/// Writes the table.
pub(super) fn write(out: &mut Markup, recording: &ClocksRecording) {
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
        clock.least_step_ns.map_or_else(unknown, short),
        short(clock.cost_ns),
        clock.across.as_ref().map_or_else(unknown, back),
        rate(clock).unwrap_or_else(unknown),
    ]
}

/// Small costs have fractions of a nanosecond.
fn short(ns: f64) -> String {
    if ns < 10.0 {
        return format!("{ns:.1} ns");
    }
    nanos(rounded(ns))
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

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a duration that is too long for 64 bits is as long as they hold"
)]
fn rounded(ns: f64) -> u64 {
    ns.round() as u64
}
