//! The answer: how many wake-ups were on time, and what made the worst one late.

use super::lanes::lanes;
use crate::{Cause, Report};
use punctual_data::distribution::Distribution;
use punctual_data::quantity::nanos;

/// A wake-up is on time if it comes so soon: within a millisecond, which timers of the field promise at best.
const ON_TIME_NS: u64 = 1_000_000;

/// How many wake-ups were on time, how late the worst was, and what that was.
pub fn answer(report: &Report) -> String {
    let worst = report.worst();
    let Some((worst, late)) = worst.first().and_then(|up| Some((*up, up.lateness_ns?))) else {
        let because = report.unexplained.first().map(|row| &row.because);
        let because = because.map_or("nothing was seen to wake", String::as_str);
        return format!("Can't tell: {because}. Run longer, or without other programs.");
    };
    let begin = counted(&report.lateness.distribution, report.lateness.count, late);
    let lanes = lanes(worst, usize::MAX);
    let Some(lane) = lanes.iter().max_by_key(|lane| lane.ns) else {
        return format!("{begin}, and the trace can't tell why.");
    };
    let (ns, occupant) = (nanos(lane.ns), &lane.like.occupant);
    match lane.like.cause {
        Cause::Lock => format!("{begin}: {occupant} had the lock for {ns} of that."),
        cause if cause.names_occupant() && occupant != "idle" => {
            format!("{begin}: {occupant} had the processor for {ns} of that.")
        }
        cause => format!("{begin}: {ns} of that was {cause}."),
    }
}

/// How many were on time, and how late the worst was.
pub fn counted(lateness: &Distribution, all: u64, worst_ns: u64) -> String {
    let counts = lateness.histogram.counts_by_ns.iter();
    let on_time = counts.filter_map(|&(ns, count)| (ns <= ON_TIME_NS).then_some(count));
    let (on_time, worst) = (on_time.sum::<u64>(), nanos(worst_ns));
    format!("{on_time} of {all} wake-ups on time, within 1 ms; the worst came {worst} late")
}
