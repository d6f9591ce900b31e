//! The tables, at most 80 columns wide.

use super::{Report, Row};
use crate::share::percent;
use std::fmt;

/// As long as the longest name there is.
const NAME: usize = 13;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        for rows in self.rows.chunk_by(|a, b| a.timers == b.timers) {
            let first = &rows[0];
            writeln!(
                f,
                "\n{} timers, {:.0} deadlines a second\n{HEADING}",
                first.timers, first.deadlines_per_second
            )?;
            rows.iter().try_for_each(|row| write!(f, "{row}"))?;
        }
        if !self.aims.is_empty() {
            writeln!(f, "\nAims")?;
            self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))?;
        }
        writeln!(
            f,
            "\nTimers have random periods, one in each of as many equal parts of 1 ms to 1 s.\n\
             wake-ups: how often a thread went to sleep, by the kernel's count. own: the\n\
             driver's count over the least that serves all windows. p50, p99: lateness from\n\
             the deadline. beyond: timers more than 1 µs after their windows. missed:\n\
             periods."
        )
    }
}

const HEADING: &str = "
              toler wakeups  least    own     p50      p99 beyond missed  proc
               ance      /s     /s /least      µs       µs      %      %     %";

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(figures) = &self.figures else {
            let note = self.note.as_deref().unwrap_or("not measured");
            return writeln!(f, "{:NAME$} {note:.65}", self.contender);
        };
        let dash = || "-".to_owned();
        let (tolerance, least) = match self.tolerance {
            Some(tolerance) => (
                percent(tolerance),
                format!("{:.0}", self.least_wakeups_per_second),
            ),
            None => (dash(), dash()),
        };
        let own = self.own_wakeups_over_least;
        let own = own.map_or_else(dash, |own| format!("{own:.3}"));
        let missed = figures.missed.unwrap_or(0) as f64;
        let missed = missed / (figures.waits as f64 + missed);
        writeln!(
            f,
            "{:NAME$} {tolerance:>5} {:>7.0} {least:>6} {own:>6} {:>7} {:>8} {:>6} {:>6} {:>5}",
            self.contender,
            self.wakeups_per_second.unwrap_or(0.0),
            micros(figures.p50_ns),
            micros(figures.p99_ns),
            self.beyond_window_share.map_or_else(dash, hundredths),
            hundredths(missed),
            figures.processor_share.map_or_else(dash, tenths),
        )
    }
}

fn hundredths(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

fn tenths(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// As many decimals as fit the column.
fn micros(nanos: u64) -> String {
    let decimals = if nanos < 100_000 { 2 } else { 0 };
    format!("{:.decimals$}", nanos as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Figures;
    use crate::waiting::grid::Outcome;

    #[test]
    fn the_widest_row_fits_eighty_columns() {
        let outcome = Outcome {
            latenesses: vec![999_999_000],
            missed: Some(1),
            passed: Vec::new(),
            processor: Some(std::time::Duration::from_secs(2)),
            spun: None,
            elapsed: std::time::Duration::from_secs(1),
        };
        let row = Row {
            timers: 10_000,
            contender: "a thread each",
            tolerance: Some(0.5),
            deadlines_per_second: 99_999.0,
            wakeups_per_second: Some(99_999.0),
            own_wakeups_per_second: Some(99_999.0),
            least_wakeups_per_second: 99_999.0,
            own_wakeups_over_least: Some(10.001),
            beyond_window_share: Some(1.0),
            figures: Figures::of(&[outcome]).ok(),
            note: None,
        };
        let text = format!("{HEADING}\n{row}");
        let widths = text.lines().map(|line| line.chars().count());
        let widest = widths.max().unwrap();
        assert!(widest <= 80, "{widest}:\n{text}");
    }
}
