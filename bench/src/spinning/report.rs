//! The report as text.

use super::{Report, lateness, neighbours};
use crate::share::percent;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n", self.machine, self.command)?;
        writeln!(f, "Shares of waits, and the way back to the caller")?;
        writeln!(
            f,
            "{:>6}  {:<20} {:>6} {:>10} {:>11} {:>13} {:>8} {:>10} {:>10}",
            "rate",
            "way",
            "waits",
            "woken late",
            "interrupted",
            "returned late",
            "spun",
            "back, p50",
            "back, p99",
        )?;
        for row in &self.lateness {
            writeln!(f, "{row}")?;
        }
        writeln!(f)?;
        match (self.processors, self.note) {
            (Some((spinning, working)), _) => writeln!(
                f,
                "Work on processor {working} beside a spin on {spinning}, over the work beside nobody",
            )?,
            (None, note) => writeln!(f, "skipped: {}", note.unwrap_or_default())?,
        }
        for row in &self.neighbours {
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl fmt::Display for lateness::Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>3} Hz  {:<20} {:>6} {:>10} {:>11} {:>13} {:>5} µs {:>7} ns {:>7} ns",
            self.rate_hertz,
            self.way,
            self.waits,
            percent(self.woken_late_share),
            percent(self.interrupted_share),
            percent(self.returned_late_share),
            self.spun_mean_ns / 1_000,
            self.return_p50_ns,
            self.return_p99_ns,
        )
    }
}

impl fmt::Display for neighbours::Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {:<16} {:>5.2} ({:.2} to {:.2})",
            self.spin, self.work_share, self.work_share_low, self.work_share_high,
        )
    }
}
