//! Recorded wake-up latencies, replayed through Punctual's margin and through its peers' rules.

mod hindsight;
pub mod recording;
mod rules;
mod verdict;

use crate::given::without_repetitions;
use crate::report::{Column, Report, Table, micros, plain};
use crate::row;
use hindsight::Hindsight;
use punctual::Margin;
use punctual::margin::{Budget, LateRate, Observation};
use punctual_data::quantity::parse_share;
use recording::{Recording, period_from_millis};
use rules::{Fixed, MeanAndDeviation, RobbinsMonro, Rule};
use std::path::PathBuf;
use std::time::Duration;

/// What is replayed.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// A file of latencies in nanoseconds, one per line, or one that `record` made; may be given several
    /// times [default: the recordings that come with Punctual].
    #[arg(long = "trace", value_name = "FILE")]
    traces: Vec<PathBuf>,

    /// The period of the traces' waits in milliseconds [default: from the end of the file's name, such as -16ms.txt].
    #[arg(long, value_name = "MILLISECONDS", requires = "traces", value_parser = parse_period)]
    period: Option<u64>,

    /// A share of waits that may be late, such as 1% or 0.01; may be given several times.
    #[arg(long, value_name = "SHARE", default_values = ["10%", "3%", "1%", "0.3%"], value_parser = parse_late_rate)]
    requested: Vec<LateRate>,

    /// The share of the time that Punctual may spin, such as 5%, or `none`; may be given several times.
    #[arg(long = "budget", value_name = "SHARE", default_values = ["5%", "none"], value_parser = parse_budget)]
    budgets: Vec<Budget>,
}

fn parse_period(text: &str) -> Result<u64, String> {
    period_from_millis(text)
        .ok_or_else(|| "not a number of milliseconds, such as 1 or 16.7".to_owned())
}

fn parse_late_rate(text: &str) -> Result<LateRate, String> {
    LateRate::new(parse_share(text)?).map_err(|error| error.to_string())
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    let share = match text {
        "none" => 1.0,
        _ => parse_share(text)?,
    };
    Budget::new(share).map_err(|error| error.to_string())
}

/// What a rule did, all waits together.
#[derive(Debug, Default, Clone, Copy)]
pub struct Outcome {
    waits: u64,
    late: u64,
    spun_ns: u128,
    elapsed_ns: u128,
}

/// The margins that spin_sleep ships with, for Unix and for Windows.
const FIXED_NANOS: [u64; 2] = [125_000, 700_000];

const NOTE: &str = "asked, late: shares of waits in %. spin: the average per wait. spun: share of the time in %. hindsight: \
     the spin of the best fixed margin with no more late waits, known afterwards. aim: as many late waits as asked, and a \
     spin of at most 1.1 times hindsight; budget: fewer late waits would exceed the budget; best: no policy of this \
     recording that keeps the budget has so many fewer.";

/// A rule that was replayed: its name, the late share and the budget that it was asked for, and what it did.
type Replayed = (String, Option<LateRate>, Option<Budget>, Outcome);

impl Plan {
    /// An error says which file cannot be read, and why.
    pub fn run(&self) -> Result<Report, String> {
        let paths = match &self.traces[..] {
            [] => recording::recorded()?,
            given => given.to_vec(),
        };
        let (mut tables, mut reached) = (Vec::new(), Vec::new());
        for path in paths {
            let slices = Recording::read(&path, self.period)?;
            for recording in &slices {
                let hindsight = Hindsight::of(recording, &slices);
                let mut table = table(&recording.name);
                for replayed in self.replay_all(recording) {
                    let name = &recording.name;
                    reached.extend(add(&mut table, name, &hindsight, replayed));
                }
                tables.push(table);
            }
        }
        let met = reached.iter().filter(|&&reached| reached).count();
        let of = reached.len();
        Ok(Report {
            answer: Some(format!("{met} of {of} aims of Punctual's margin are met.")),
            tables,
            note: NOTE.to_owned(),
            ..Report::default()
        })
    }

    fn replay_all(&self, recording: &Recording) -> Vec<Replayed> {
        let asked_for = || without_repetitions(&self.requested).into_iter();
        let mut all: Vec<Replayed> = Vec::new();
        for budget in without_repetitions(&self.budgets) {
            let rule = match budget.share() < 1.0 {
                true => format!("margin ({} %)", as_asked(budget.share())),
                false => "margin-no-budget".to_owned(),
            };
            for asked in asked_for() {
                let outcome = replay(recording, &mut Margin::new(asked, budget));
                all.push((rule.clone(), Some(asked), Some(budget), outcome));
            }
        }
        for asked in asked_for() {
            let outcome = replay(recording, &mut RobbinsMonro::new(asked.share()));
            all.push(("robbins-monro".to_owned(), Some(asked), None, outcome));
        }
        let outcome = replay(recording, &mut MeanAndDeviation::default());
        all.push(("mean-plus-sigma".to_owned(), None, None, outcome));
        let latencies = recording.latencies();
        let margins = match latencies {
            None => recording.met.keys().copied().collect(),
            Some(_) => FIXED_NANOS.to_vec(),
        };
        for margin in margins {
            let rule = format!("fixed-{}us", margin / 1_000);
            all.push((rule, None, None, replay(recording, &mut Fixed(margin))));
        }
        all.extend(latencies.map(|latencies| {
            let outcome = rules::sdl(recording.period_ns, &latencies);
            ("sdl3".to_owned(), None, None, outcome)
        }));
        all
    }
}

fn table(name: &str) -> Table {
    Table::new(
        "rows",
        name,
        vec![
            Column::hidden("trace"),
            Column::words("rule", "rule", 18),
            Column::words("aim", "aim", 11),
            Column::hidden("budget"),
            Column::figure("requested", "asked", 5, as_asked),
            Column::figure("late_share", "late", 8, in_percent),
            Column::figure("spin_ns", "spin, µs", 11, micros),
            Column::figure("spun_share", "spun", 8, in_percent),
            Column::figure("hindsight_spin_ns", "hindsight", 11, micros),
            Column::figure("ratio", "ratio", 7, plain::<2>),
            Column::hidden("waits"),
            Column::hidden("late_tolerance"),
            Column::hidden("best_late_share"),
        ],
    )
}

/// In percent, without the noise that binary fractions leave behind.
fn as_asked(share: f64) -> String {
    format!("{}", (share * 1e5).round() / 1e3)
}

fn in_percent(share: f64) -> String {
    plain::<2>(100.0 * share)
}

/// Adds a row. Whether Punctual's margin reached its aims, if this is that.
fn add(
    table: &mut Table,
    recording: &str,
    hindsight: &Hindsight,
    (rule, requested, budget, outcome): Replayed,
) -> Option<bool> {
    let verdict = requested.map(|asked| verdict::of(asked, budget, outcome, hindsight));
    let best = hindsight.spin_ns(outcome.late_share());
    let ratio = best.filter(|&best| best > 0.0);
    let requested = requested.map(LateRate::share);
    table.push(row![
        recording,
        rule,
        verdict.map(|(words, _)| words),
        budget.map(Budget::share),
        requested,
        outcome.late_share(),
        outcome.spin_ns(),
        outcome.spun_share(),
        best,
        ratio.map(|best| outcome.spin_ns() / best),
        outcome.waits,
        requested.map(|requested| verdict::tolerance(requested, outcome.waits)),
        verdict::best_late_share(budget, hindsight),
    ]);
    verdict
        .filter(|_| budget.is_some())
        .map(|(_, reached)| reached)
}

/// What a wait meets is what was recorded of its turn. It is late if the latency exceeds the margin, and spins what the
/// margin exceeds the latency by. A margin of a period or more spins all of the period and learns nothing: the latency
/// passes unseen. A spin is late if it lost its processor.
///
/// A wait that ends past the next deadline moves the schedule: the next is a period after it, as it was when the latencies
/// were recorded.
fn replay(recording: &Recording, rule: &mut impl Rule) -> Outcome {
    let period = recording.period_ns;
    let wait = Duration::from_nanos(period);
    let mut outcome = Outcome::default();
    for turn in 0..recording.waits() {
        let margin = rule.margin(wait);
        let met = recording.met(turn, margin);
        let (lateness, spun) = if margin >= period {
            (met.overrun_ns, period)
        } else if met.latency_ns > margin {
            (met.latency_ns - margin, 0)
        } else {
            (met.overrun_ns, margin - met.latency_ns)
        };
        let moved = if lateness > period { lateness } else { 0 };
        let mut observation = Observation::new(wait, Duration::from_nanos(period + moved))
            .with_spun(Duration::from_nanos(spun))
            .with_lateness(Duration::from_nanos(lateness));
        if margin < period {
            observation = observation.with_latency(Duration::from_nanos(met.latency_ns));
        }
        rule.learn(observation);
        outcome.waits += 1;
        outcome.late += u64::from(lateness > 0);
        outcome.spun_ns += u128::from(spun);
        outcome.elapsed_ns += u128::from(period + moved);
    }
    outcome
}

impl Outcome {
    fn late_share(&self) -> f64 {
        self.late as f64 / self.waits.max(1) as f64
    }

    /// In each wait, on average.
    fn spin_ns(&self) -> f64 {
        self.spun_ns as f64 / self.waits.max(1) as f64
    }

    fn spun_share(&self) -> f64 {
        self.spun_ns as f64 / self.elapsed_ns.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::nanos;

    /// Remembers what it was told.
    struct Listener {
        margin: u64,
        heard: Vec<Observation>,
    }

    impl Rule for Listener {
        fn margin(&mut self, _: Duration) -> u64 {
            self.margin
        }

        fn learn(&mut self, observation: Observation) {
            self.heard.push(observation);
        }
    }

    fn replayed(margin: u64) -> (Outcome, Vec<Observation>) {
        let slices = Recording::parse("made up", 1_000, false, "100\n300\n2500").unwrap();
        let heard = Vec::new();
        let mut listener = Listener { margin, heard };
        let outcome = replay(&slices[0], &mut listener);
        (outcome, listener.heard)
    }

    #[test]
    fn a_margin_is_spun_or_not_enough() {
        let (outcome, heard) = replayed(300);
        assert_eq!((outcome.waits, outcome.late, outcome.spun_ns), (3, 1, 200));
        let elapsed: Vec<_> = heard.iter().map(|heard| nanos(heard.elapsed)).collect();
        assert_eq!(elapsed, [1_000, 1_000, 3_200]);
        assert_eq!(outcome.elapsed_ns, 5_200);
    }

    #[test]
    fn a_margin_of_a_period_spins_it_and_learns_nothing() {
        let (outcome, heard) = replayed(1_000);
        assert_eq!((outcome.late, outcome.spun_ns), (0, 3_000));
        assert!(heard.iter().all(|heard| heard.latency.is_none()));
    }

    #[test]
    fn no_budget_is_the_whole_of_the_time() {
        let whole = Budget::new(1.0).map_err(|error| error.to_string());
        assert_eq!(parse_budget("none"), whole);
        assert_eq!(parse_budget("5%").map(Budget::share), Ok(0.05));
    }
}
