//! The table, at most 80 columns wide.

use super::{Report, Row};
use crate::given::name_of;
use crate::share::short;
use crate::statistics::{Figures, micros};
use std::fmt;

/// As long as the longest name there is, and who waits.
const NAME: usize = 23;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n", self.machine, self.command)?;
        heading(f)?;
        self.rows.iter().try_for_each(|row| write!(f, "{row}"))?;
        writeln!(f)?;
        for row in self.rows.chunk_by(|a, b| a.condition == b.condition) {
            writeln!(f, "{:NAME$} {}", row[0].condition, row[0].summary)?;
        }
        for skipped in &self.skipped {
            let (name, reason) = (skipped.condition, &skipped.reason);
            writeln!(f, "{name:NAME$} skipped: {reason}")?;
        }
        writeln!(
            f,
            "\nA loop waits at 1 kHz, with a short slice and with its thread's own, in turns.\n\
             late: shares of waits, with the quartiles of the blocks. missed: deadlines that\n\
             had passed before their turn. p99 all: of all deadlines, these among them."
        )?;
        if self.interrupted {
            writeln!(f, "The run was interrupted.")?;
        }
        Ok(())
    }
}

fn heading(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(
        f,
        "{:NAME$} {:8} {:>6} {:>10} {:>7} {:>7} {:>6} {:>5}",
        "", "", "late", "quartiles", "p99", "p99 all", "missed", "spun"
    )?;
    writeln!(
        f,
        "{:NAME$} {:8} {:>6} {:>10} {:>7} {:>7} {:>6} {:>5}",
        "condition", "slice", ">1µs %", "%", "µs", "µs", "%", "%"
    )
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.who.as_str() {
            "loop" => self.condition.to_owned(),
            // The name of the condition is in the line above.
            who => format!("  its {who}"),
        };
        let Figures {
            late_over_1us_share,
            p99_ns,
            p99_of_deadlines_ns,
            ..
        } = self.figures;
        let percent = |share: f64| format!("{:.2}", 100.0 * share);
        let quartiles = self.figures.late_share_low;
        let quartiles = quartiles.zip(self.figures.late_share_high);
        let quartiles = quartiles.map_or("-".to_owned(), |(low, high)| {
            format!("{}..{}", short(low), short(high))
        });
        writeln!(
            f,
            "{name:NAME$} {:8} {:>6} {quartiles:>10} {:>7} {:>7} {:>6} {:>5}",
            name_of(&self.slice),
            percent(late_over_1us_share),
            micros(p99_ns),
            p99_of_deadlines_ns.map_or("-".to_owned(), micros),
            self.figures.missed_share().map_or("-".to_owned(), percent),
            self.figures.spun_share.map_or("-".to_owned(), percent),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::condition::names;
    use super::super::loops::SliceOf;
    use super::*;
    use crate::waiting::grid::Outcome;
    use std::time::Duration;

    #[test]
    fn the_widest_row_fits_eighty_columns() {
        let second = Duration::from_secs(1);
        let outcome = Outcome {
            latenesses: vec![999_999_000],
            missed: Some(1),
            passed: vec![999_999_000],
            spun: Some(second),
            processor: None,
            elapsed: second,
        };
        let row = |condition| Row {
            condition,
            summary: "",
            who: "loop".to_owned(),
            slice: SliceOf::ThreadAsFound,
            figures: Figures::of(std::slice::from_ref(&outcome)).unwrap(),
        };
        for condition in names() {
            let line = row(condition).to_string();
            assert!(line.trim_end().chars().count() <= 80, "{line}");
        }
    }
}
