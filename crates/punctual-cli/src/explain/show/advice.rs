//! Advice for each important cause.

use super::{System, labelled, linux_advice, windows_advice};
use punctual_data::text::Text;
use punctual_lab::Environment;
use punctual_trace::{Cause, Report};
use std::io;

/// A cause with a smaller share of the lateness gets no advice.
const LEAST_SHARE: f64 = 0.02;

pub(super) fn write(
    out: &mut Text,
    (report, most): (&Report, usize),
    environment: &Environment,
    system: System,
    slice_is_short: bool,
) -> io::Result<()> {
    let mut advised = Vec::new();
    writeln!(out)?;
    for row in &report.causes {
        let kind = (
            row.cause,
            row.cause == Cause::InterruptLate && row.who == "idle",
        );
        if row.share < LEAST_SHARE || advised.contains(&kind) || advised.len() == most {
            continue;
        }
        advised.push(kind);
        let advice = match system {
            System::Linux => linux_advice::advice(row, environment, slice_is_short),
            System::Windows => windows_advice::advice(row),
        };
        labelled(out, "why:", &format!("{}: {advice}", row.cause))?;
    }
    Ok(())
}
