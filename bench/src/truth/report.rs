//! The tables, at most 80 columns wide.

use super::Report;
use super::agreement::{Agreement, Disagreement};
use super::parts::Parts;
use std::fmt;

/// How many disagreements of a condition are printed; JSON has all.
const PRINTED: usize = 3;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        if let Some(reason) = &self.skipped {
            return writeln!(f, "\nNothing was compared: {reason}");
        }
        writeln!(
            f,
            "\n{:13} {:>5} {:>6} {:>7} {:>7} {:>7} {:>6} {:>5}  mostly",
            "condition", "waits", "unseen", "agreed", "cause", "length", "unexpl", "names"
        )?;
        for row in &self.conditions {
            line(f, row)?;
        }
        writeln!(f, "\nDisagreements, in nanoseconds")?;
        for row in &self.conditions {
            for disagreement in row.disagreements.iter().take(PRINTED) {
                writeln!(f, "{}: {disagreement}", row.condition)?;
            }
        }
        writeln!(f, "\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))
    }
}

fn line(f: &mut fmt::Formatter<'_>, row: &Agreement) -> fmt::Result {
    if let Some(reason) = &row.skipped {
        return writeln!(f, "{:13} skipped: {reason}", row.condition);
    }
    let percent = |count: usize| format!("{:.1}%", 100.0 * count as f64 / row.wake_ups as f64);
    let mostly = row.parts.greatest().map(ToString::to_string);
    writeln!(
        f,
        "{:13} {:>5} {:>6} {:>7} {:>7} {:>7} {:>6} {:>5}  {}",
        row.condition,
        row.wake_ups,
        row.unseen,
        percent(row.agreed),
        percent(row.same_cause),
        percent(row.same_length),
        row.unexplained,
        row.misnamed,
        mostly.as_deref().unwrap_or("no timer")
    )
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let none = Parts::default();
        let reference = self.reference.as_ref().unwrap_or(&none);
        writeln!(f, "{} late by its own clock", self.lateness_ns)?;
        writeln!(f, "  reference {} = {reference}", reference.total())?;
        write!(
            f,
            "  {} {} = {}",
            self.verdict,
            self.ours.total(),
            self.ours
        )
    }
}
