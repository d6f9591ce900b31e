//! The report as text.

use super::{Difference, Report, Row};
use crate::share::short;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n\nLateness in ns", self.machine, self.command)?;
        writeln!(
            f,
            "{:26} {:8} {:>6} {:>7} {:>7} {:>7} {:>9}",
            "way", "from", "waits", "p50", "p90", "p99", "late >1µs"
        )?;
        self.rows.iter().try_for_each(|row| write!(f, "{row}"))?;
        writeln!(
            f,
            "\nLater than from Rust, in ns: medians of blocks, round by round"
        )?;
        writeln!(
            f,
            "{:26} {:8} {:>6} {:>7} {:>7} {:>15}",
            "way", "from", "rounds", "median", "±", "quartiles"
        )?;
        let mut differences = self.differences.iter();
        differences.try_for_each(|difference| write!(f, "{difference}"))?;
        writeln!(f, "\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:26} {:8} {:>6} {:>7} {:>7} {:>7} {:>7} %",
            self.way,
            self.language,
            self.waits,
            self.p50_ns,
            self.p90_ns,
            self.p99_ns,
            short(self.late_over_1us_share),
        )
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quartiles = format!("{:.0}..{:.0}", self.low_ns, self.high_ns);
        writeln!(
            f,
            "{:26} {:8} {:>6} {:>7.0} {:>7.0} {quartiles:>15}",
            self.way, self.language, self.rounds, self.median_ns, self.uncertainty_ns,
        )
    }
}
