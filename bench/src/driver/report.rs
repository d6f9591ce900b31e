//! The tables, at most 80 columns wide.

use super::{Beating, Rate, Report, Sleeping, sleeping};
use crate::simulation::rates::Spread;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n\n{RATES}", self.machine, self.command)?;
        self.rates.iter().try_for_each(|rate| write!(f, "{rate}"))?;
        writeln!(
            f,
            "\n{} tasks, each asleep for half a second at a time\n{SLEEPING}",
            sleeping::TASKS
        )?;
        self.sleeping
            .iter()
            .try_for_each(|row| write!(f, "{row}"))?;
        writeln!(f, "\none task, an interval of 1 kHz\n{BEATING}")?;
        self.beating.iter().try_for_each(|row| write!(f, "{row}"))?;
        writeln!(f, "\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))?;
        writeln!(
            f,
            "\nMillions per second, all threads together: medians of the rounds, ± half the\n\
             range. ratio: ours over tokio's sleep, which is polled and dropped. proc and\n\
             processor: time of the whole process, per deadline, and as a share of one\n\
             processor. p50, p99: lateness of the task."
        )
    }
}

const RATES: &str = "M/s                    threads       punctual          tokio    ratio";

const SLEEPING: &str =
    "                toler  deadlines         proc            p50      p99      max
                 ance         /s           µs             µs       µs       µs";

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:22} {:>7} {:>14} {:>14} {:>12}",
            self.operation,
            self.threads,
            with_spread(self.punctual_per_second, 1e6, 2),
            with_spread(self.tokio_per_second, 1e6, 2),
            with_spread(self.ratio, 1.0, 2),
        )
    }
}

impl fmt::Display for Sleeping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tolerance = self
            .tolerance_ns
            .map(|nanos| format!("{} ms", nanos / 1_000_000));
        writeln!(
            f,
            "{:15} {:>5} {:>10.0} {:>12} {:>14} {:>8.0} {:>8.0}",
            self.contender,
            tolerance.unwrap_or("-".to_owned()),
            self.deadlines_per_second,
            with_spread(self.processor_ns_per_deadline, 1e3, 2),
            with_spread(self.p50_ns, 1e3, 0),
            self.figures.p99_ns as f64 / 1e3,
            self.figures.max_ns as f64 / 1e3,
        )
    }
}

const BEATING: &str = "                threads    processor            p50      p99      max
                               share             µs       µs       µs";

impl fmt::Display for Beating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = self.figures.processor_share.unwrap_or_default();
        writeln!(
            f,
            "{:15} {:>7} {:>10.1} % {:>14} {:>8.0} {:>8.0}",
            self.contender,
            self.threads,
            share * 100.0,
            with_spread(self.p50_ns, 1e3, 0),
            self.figures.p99_ns as f64 / 1e3,
            self.figures.max_ns as f64 / 1e3,
        )
    }
}

fn with_spread(spread: Spread, unit: f64, decimals: usize) -> String {
    let half = (spread.high - spread.low) / 2.0 / unit;
    format!("{:.decimals$} ±{half:.decimals$}", spread.median / unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Figures;
    use crate::waiting::grid::Outcome;
    use std::time::Duration;

    #[test]
    fn the_widest_rows_fit_eighty_columns() {
        let wide = |unit: f64| Spread {
            median: 99.99 * unit,
            low: 0.0,
            high: 199.9 * unit,
        };
        let rate = Rate {
            operation: "sleep, polled, dropped",
            threads: 10,
            punctual_per_second: wide(1e6),
            tokio_per_second: wide(1e6),
            ratio: wide(1.0),
        };
        let outcome = Outcome {
            latenesses: vec![9_999_999_000],
            missed: Some(0),
            passed: Vec::new(),
            processor: Some(Duration::from_secs(2)),
            spun: None,
            elapsed: Duration::from_secs(1),
        };
        let row = Sleeping {
            contender: "punctual, exact",
            tolerance_ns: Some(1_000_000),
            deadlines_per_second: 999_999.0,
            processor_ns_per_deadline: wide(1e3),
            p50_ns: wide(1e6),
            figures: Figures::of(&[outcome]).unwrap(),
        };
        let beat = Beating {
            contender: "punctual-tokio",
            threads: 2,
            p50_ns: wide(1e6),
            figures: row.figures.clone(),
        };
        let text = format!("{RATES}\n{rate}{SLEEPING}\n{row}{BEATING}\n{beat}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
