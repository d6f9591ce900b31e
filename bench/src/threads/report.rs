//! The tables, at most 80 columns wide.

use super::pairs::Pairs;
use super::{Condition, Report, Row};
use crate::given::name_of;
use crate::share::short;
use crate::statistics::micros;
use std::fmt;

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, load, .. } = self;
        write!(f, "{threads} {} {load}", name_of(&self.beat))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compared = self.pairs.len();
        let worse = self.pairs.iter().filter(|pairs| pairs.is_worse()).count();
        if compared > 0 {
            writeln!(
                f,
                "worse than the coarse wait under {worse} of {compared} conditions\n"
            )?;
        }
        writeln!(f, "{}\n{}\n\n{HEADING}", self.machine, self.command)?;
        for rows in self.rows.chunk_by(|a, b| a.condition == b.condition) {
            rows.iter().try_for_each(|row| write!(f, "{row}"))?;
            writeln!(f)?;
        }
        for pairs in self.pairs.iter().filter(|pairs| pairs.is_worse()) {
            write!(f, "{pairs}")?;
        }
        writeln!(
            f,
            "Each thread waits at 100 Hz, in blocks of half a second after as much warm-up.\n\
             late: over 1 µs. p99: of all deadlines, also of those that passed unmet.\n\
             processor: of the whole process."
        )
    }
}

const HEADING: &str =
    "threads                contender               p50       p99   late  processor
                                                µs        µs";

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = &self.figures;
        writeln!(
            f,
            "{:22} {:18} {:>8} {:>9} {:>6} {:>10}",
            self.condition.to_string(),
            self.contender,
            micros(figures.p50_ns),
            micros(figures.p99_of_deadlines_ns.unwrap_or(figures.p99_ns)),
            short(figures.late_or_missed_share),
            short(figures.processor_share.unwrap_or_default()),
        )
    }
}

impl Pairs {
    fn is_worse(&self) -> bool {
        self.quantities.iter().any(|quantity| quantity.is_worse)
    }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for quantity in self.quantities.iter().filter(|quantity| quantity.is_worse) {
            writeln!(
                f,
                "{}: {} is worse by {:.3}, quartiles {:.3} and {:.3}, than {:.3}",
                self.condition,
                quantity.name,
                quantity.median,
                quantity.low,
                quantity.high,
                quantity.coarse,
            )?;
        }
        Ok(())
    }
}
