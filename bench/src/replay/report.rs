//! The table, at most 80 columns wide.

use super::verdict::LateAim;
use super::{Report, Row};
use crate::share::percent;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.command)?;
        for rows in self.rows.chunk_by(|a, b| a.trace == b.trace) {
            writeln!(f, "\n{}", rows[0].trace)?;
            writeln!(
                f,
                "{:16} {:>6} {:>7} {:>9} {:>7} {:>10} {:>6}  aim",
                "rule", "asked", "late", "spin µs", "spun", "hindsight", "ratio"
            )?;
            rows.iter().try_for_each(|row| write!(f, "{row}"))?;
        }
        writeln!(
            f,
            "\nasked, late: shares of waits in %. spin: the average per wait. spun: share of\n\
             the time in %. hindsight: the spin of the best fixed margin with no more late\n\
             waits, known afterwards. aim: as many late waits as asked, and a spin of at\n\
             most 1.1 times hindsight; `budget`: fewer late waits would exceed the budget;\n\
             `best`: no policy of this recording that keeps the budget has so many fewer.\n"
        )?;
        let (met, of) = (self.aims_met, self.aims);
        writeln!(f, "{met} of {of} aims of Punctual's margin are met.")
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.budget {
            Some(budget) if budget < 1.0 => format!("{} ({})", self.rule, percent(budget)),
            _ => self.rule.clone(),
        };
        writeln!(
            f,
            "{rule:16} {:>6} {:>7.2} {:>9.1} {:>7.2} {:>10} {:>6}  {}",
            self.requested
                .map_or("-".to_owned(), |share| format!("{}", rounded(share))),
            100.0 * self.late_share,
            self.spin_ns / 1e3,
            100.0 * self.spun_share,
            self.hindsight_spin_ns
                .map_or("-".to_owned(), |nanos| format!("{:.1}", nanos / 1e3)),
            self.ratio
                .map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
            self.aim(),
        )
    }
}

impl Row {
    fn aim(&self) -> &'static str {
        match (self.late_aim, self.spin_aim_met) {
            (None, _) => "-",
            (Some(LateAim::Met), true) => "met",
            (Some(LateAim::Budget), true) => "budget",
            (Some(LateAim::Best), true) => "best",
            (Some(LateAim::Missed), true) => "late",
            (Some(LateAim::Missed), false) => "late, spin",
            (Some(_), false) => "spin",
        }
    }
}

/// A share in percent, without the noise that binary fractions leave behind.
fn rounded(share: f64) -> f64 {
    (share * 1e5).round() / 1e3
}
