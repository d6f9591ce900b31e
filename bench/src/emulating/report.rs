//! The tables, at most 80 columns wide.

use super::{Report, Row};
use crate::statistics::Spread;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        writeln!(
            f,
            "\n{:11}{:>5} {:5}{:>18}{:>20}{:>20}",
            "µs a call", "", "on", "by itself", "only resumed", "under rules"
        )?;
        self.calls.iter().try_for_each(|row| call(f, row))?;
        if !self.servers.is_empty() {
            writeln!(
                f,
                "\n{:22}{:>20}{:>18}{:>19}",
                "connections", "requests/s, itself", "only resumed", "under rules"
            )?;
        }
        for row in &self.servers {
            writeln!(
                f,
                "{:7}{:>4}{:>31}{:>18}{:>19}",
                row.server,
                row.clients,
                row.plain_per_second.shown(1.0, 0),
                row.resumed_ratio.shown(1.0, 2),
                row.ratio.shown(1.0, 2),
            )?;
        }
        for reason in &self.not_here {
            writeln!(f, "not measured: {reason}")?;
        }
        writeln!(
            f,
            "\nMedians of the turns, with their ranges; of servers, shares of their own rate.\n\
             Only resumed: by a tracer that stops the program as often and does nothing.\n\nAims"
        )?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))
    }
}

fn call(f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let processors = if row.on_one_processor { "one" } else { "any" };
    let or_none = |spread: &Option<Spread>| spread.as_ref().map_or("-".to_owned(), micros);
    writeln!(
        f,
        "{:11}{:>5} {:5}{:>18}{:>20}{:>20}",
        row.call,
        row.threads,
        processors,
        micros(&row.plain_us),
        or_none(&row.resumed_us),
        or_none(&row.steered_us),
    )
}

/// With as many digits as say something.
fn micros(spread: &Spread) -> String {
    spread.shown(1.0, if spread.high < 10.0 { 2 } else { 1 })
}
