//! The tables, at most 80 columns wide.

use super::{Report, Row};
use crate::simulation::rates::Spread;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        writeln!(
            f,
            "\n{:11}{:>8}  {:11}{:>22}{:>25}",
            "µs a call", "threads", "processors", "by itself", "under rules"
        )?;
        self.calls.iter().try_for_each(|row| call(f, row))?;
        if !self.servers.is_empty() {
            writeln!(
                f,
                "\n{:7}{:>12}{:>21}{:>22}{:>18}",
                "", "connections", "requests/s, itself", "under rules", "ratio"
            )?;
        }
        for row in &self.servers {
            writeln!(
                f,
                "{:7}{:>12}{:>21}{:>22}{:>18}",
                row.server,
                row.clients,
                shown(&row.plain_per_second, 0),
                shown(&row.steered_per_second, 0),
                shown(&row.ratio, 2),
            )?;
        }
        for reason in &self.not_here {
            writeln!(f, "not measured: {reason}")?;
        }
        writeln!(f, "\nMedians of the turns, with their ranges.\n\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))
    }
}

fn call(f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let processors = if row.on_one_processor { "one" } else { "any" };
    let steered = row.steered_us.as_ref();
    writeln!(
        f,
        "{:11}{:>8}  {:11}{:>22}{:>25}",
        row.call,
        row.threads,
        processors,
        shown(&row.plain_us, 2),
        steered.map_or("-".to_owned(), |spread| shown(spread, 2)),
    )
}

fn shown(spread: &Spread, digits: usize) -> String {
    let Spread { median, low, high } = spread;
    format!("{median:.digits$} [{low:.digits$} {high:.digits$}]")
}
