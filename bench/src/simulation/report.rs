//! The tables, at most 80 columns wide.

use super::Report;
use super::contest::{EngineRow, PeerRow};
use super::day::Day;
use super::memory::Memory;
use super::rates::Spread;
use std::fmt;

/// As long as the longest name there is.
const NAME: usize = 22;

const MILLION: f64 = 1e6;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        writeln!(
            f,
            "\n{:NAME$} {:>8} {:>24} {:>23}",
            "sleeping at random", "threads", "million events/s", "engine is faster by"
        )?;
        let rows = self.engine.iter().zip(&self.engine_at_default_costs);
        for (ours, at_default_costs) in rows {
            engine(f, "engine", ours)?;
            let same = self
                .peers
                .iter()
                .filter(|peer| peer.threads == ours.threads);
            for row in same {
                peer(f, row)?;
            }
            engine(f, "engine, default costs", at_default_costs)?;
        }
        let sleeps = &self.model.sleeps_per_second;
        writeln!(
            f,
            "
{}, {} threads in Sleep(1), with its log
{:NAME$} {:>8} {} million sleeps/s",
            self.model.version,
            self.model.threads,
            "",
            "",
            millions(Some(sleeps)),
        )?;
        writeln!(
            f,
            "\nA simulated day of a 1 kHz loop, 86.4 million sleeps, in processor time"
        )?;
        self.days.iter().try_for_each(|day| write!(f, "{day}"))?;
        write!(f, "{}", self.memory)?;
        writeln!(f, "\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))?;
        writeln!(
            f,
            "\nMedians and ranges of the repetitions, per second of processor time. An event is\n\
             one wake-up: read the clock, wait on a bell, block, timer, ready, dispatch, run."
        )
    }
}

fn engine(f: &mut fmt::Formatter<'_>, name: &str, row: &EngineRow) -> fmt::Result {
    let rates = Spread {
        median: row.events_per_second,
        low: row.events_per_second_low,
        high: row.events_per_second_high,
    };
    let rates = millions(Some(&rates));
    writeln!(f, "{name:NAME$} {:>8} {rates}", row.threads)
}

fn peer(f: &mut fmt::Formatter<'_>, row: &PeerRow) -> fmt::Result {
    let median = row.events_per_second;
    let rates = median
        .zip(row.events_per_second_low)
        .zip(row.events_per_second_high)
        .map(|((median, low), high)| Spread { median, low, high });
    match rates {
        Some(rates) => {
            let (rates, ratio) = (millions(Some(&rates)), ratio(row.ratio.as_ref()));
            writeln!(f, "{:NAME$} {:>8} {rates} {ratio}", row.name, row.threads)
        }
        None => {
            let note = row.note.as_deref().unwrap_or("not measured");
            writeln!(f, "{:NAME$} {:>8} {note:>24.48}", row.name, row.threads)
        }
    }
}

/// A median in 8 columns, and from where to where in 15.
fn millions(rates: Option<&Spread>) -> String {
    let Some(Spread { median, low, high }) = rates else {
        return String::new();
    };
    let range = format!("{:.2}..{:.2}", low / MILLION, high / MILLION);
    format!("{:>8.2} {range:>15}", median / MILLION)
}

fn ratio(ratio: Option<&Spread>) -> String {
    let Some(Spread { median, low, high }) = ratio else {
        return String::new();
    };
    let range = format!("{low:.1}..{high:.1}");
    format!("{median:>8.1} {range:>14}")
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.is_whole() {
            "simulated whole".to_owned()
        } else {
            format!("computed from {} simulated h", self.simulated_hours)
        };
        writeln!(
            f,
            "{:NAME$} {:>8.1} s, {how}",
            self.machine, self.day_seconds
        )
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nPeak memory of a process that simulates the loop\n\
             {} KiB after {} min, {} KiB after {} min",
            self.peak_kib,
            self.simulated_minutes,
            self.longer_peak_kib,
            self.longer_simulated_minutes
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::aims;

    fn widest(text: &str) -> usize {
        text.lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn rows_fit_eighty_columns() {
        let rate = Spread {
            median: 123.45e6,
            low: 123.45e6,
            high: 123.45e6,
        };
        let times = Spread {
            median: 1234.5,
            low: 1234.5,
            high: 1234.5,
        };
        let row = format!(
            "{:NAME$} {:>8} {} {}",
            "",
            1,
            millions(Some(&rate)),
            ratio(Some(&times))
        );
        assert_eq!(widest(&row), 80, "{row}");
        let day = Day {
            machine: "windows-10-2004",
            simulated_hours: 1,
            day_seconds: 99_999.9,
        };
        assert!(widest(&day.to_string()) <= 80, "{day}");
    }

    #[test]
    fn aims_fit_eighty_columns() {
        let memory = Memory {
            simulated_minutes: 5,
            peak_kib: 9_999_999,
            longer_simulated_minutes: 50,
            longer_peak_kib: 9_999_999,
        };
        assert!(widest(&memory.to_string()) <= 80, "{memory}");
        let day = Day {
            machine: "windows-10-2004",
            simulated_hours: 24,
            day_seconds: 99.0,
        };
        let all = aims::of_model(1e6, &[day], &memory);
        for aim in all.iter().chain(&aims::of_contest(&[], &[])) {
            assert!(widest(&aim.to_string()) <= 80, "{aim}");
        }
    }
}
