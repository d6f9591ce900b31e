//! Advice for each important cause.

use super::labelled;
use crate::explain::Explanation;
use punctual_data::text::Text;
use punctual_lab::Environment;
use punctual_trace::Cause;
use punctual_trace::advice::{Facts, advice};
use std::io;

/// A cause with a smaller share of the lateness gets no advice.
const LEAST_SHARE: f64 = 0.02;

/// Of so many causes, the most important first.
pub(super) fn write(
    out: &mut Text,
    found: &Explanation,
    machine: &Environment,
    slice_is_short: bool,
    most: usize,
) -> io::Result<()> {
    let hypervisor = machine.hypervisor.as_deref();
    let facts = Facts {
        hypervisor: hypervisor.filter(|&name| name != "none"),
        timer_slack_ns: machine.timer_slack_ns,
        slice_is_short,
    };
    let mut advised = Vec::new();
    writeln!(out)?;
    for row in &found.report.causes {
        let kind = (
            row.cause,
            row.cause == Cause::InterruptLate && row.occupant == "idle",
        );
        if row.share < LEAST_SHARE || advised.contains(&kind) || advised.len() == most {
            continue;
        }
        advised.push(kind);
        let advice = advice(row, found.system, facts);
        labelled(out, "why:", &format!("{}: {advice}", row.cause))?;
    }
    Ok(())
}
