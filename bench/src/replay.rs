//! Recorded wake-up latencies, replayed through Punctual's margin and through its peers' rules.

pub mod files;
mod hindsight;
pub mod policies;
mod probing;
mod report;
mod rules;
pub mod trace;
mod verdict;

use crate::given::without_repetitions;
use crate::machine::Invocation;
use crate::share;
use crate::statistics::nanos;
use files::Recording;
use hindsight::{Hindsight, Sorted};
use punctual::Margin;
use punctual::margin::{Budget, LateRate, Observation};
use rules::{Fixed, MeanAndDeviation, RobbinsMonro, Rule};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;
use trace::{Malformed, Recorded};
use verdict::{LateAim, MOST_SPIN};

/// What is replayed.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// A file of latencies in nanoseconds, one per line, or one that `record` made; may be given several
    /// times [default: the recordings that come with Punctual].
    #[arg(long = "trace", value_name = "FILE")]
    pub traces: Vec<PathBuf>,

    /// The period of the traces' waits in milliseconds [default: from the end of the file's name, such as -16ms.txt].
    #[arg(long, value_name = "MILLISECONDS", requires = "traces", value_parser = parse_period)]
    pub period: Option<u64>,

    /// A share of waits that may be late, such as 1% or 0.01; may be given several times.
    #[arg(
        long,
        value_name = "SHARE",
        default_values = ["10%", "3%", "1%", "0.3%"],
        value_parser = parse_late_rate
    )]
    pub requested: Vec<LateRate>,

    /// The share of the time that Punctual may spin, such as 5%, or `none`; may be given several times.
    #[arg(
        long = "budget",
        value_name = "SHARE",
        default_values = ["5%", "none"],
        value_parser = parse_budget
    )]
    pub budgets: Vec<Budget>,
}

fn parse_period(text: &str) -> Result<u64, String> {
    trace::period_from_millis(text)
        .ok_or_else(|| "not a number of milliseconds, such as 1 or 16.7".to_owned())
}

fn parse_late_rate(text: &str) -> Result<LateRate, String> {
    LateRate::new(share::parse(text)?).map_err(|error| error.to_string())
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    let share = if text == "none" {
        1.0
    } else {
        share::parse(text)?
    };
    Budget::new(share).map_err(|error| error.to_string())
}

/// Everything that came of it.
#[derive(Debug, Serialize)]
pub struct Report {
    pub command: Invocation,
    pub rows: Vec<Row>,
    /// Of the rows of Punctual's margin, those that met both aims, and all.
    pub aims_met: usize,
    pub aims: usize,
}

/// One rule on one recording.
#[derive(Debug, Serialize)]
pub struct Row {
    pub trace: String,
    pub rule: String,
    /// The late share asked for; none of a rule that has no such number.
    pub requested: Option<f64>,
    /// The processor budget asked for; none of a rule that has no such number.
    pub budget: Option<f64>,
    pub waits: u64,
    pub late_share: f64,
    /// In each wait, on average.
    pub spin_ns: f64,
    /// Of all elapsed time.
    pub spun_share: f64,
    /// What the best fixed margin with no more late waits would have spun. None if there is none.
    pub hindsight_spin_ns: Option<f64>,
    /// None if that is nothing.
    pub ratio: Option<f64>,
    pub late_tolerance: Option<f64>,
    /// Under load, the late share of the best fixed policy that keeps the budget.
    pub best_late_share: Option<f64>,
    pub late_aim: Option<LateAim>,
    pub spin_aim_met: bool,
    /// Both aims; none of a rule without the first.
    pub aim_met: Option<bool>,
}

/// What a rule did, all waits together.
#[derive(Debug, Default, Clone, Copy)]
struct Outcome {
    waits: u64,
    late: u64,
    spun_ns: u128,
    elapsed_ns: u128,
}

/// The name of Punctual's rule.
const MARGIN: &str = "margin";

/// The margins that spin_sleep ships with, for Unix and for Windows.
const FIXED_NANOS: [u64; 2] = [125_000, 700_000];

impl Plan {
    pub fn run(&self) -> Result<Report, Malformed> {
        let paths = match &self.traces[..] {
            [] => files::recorded()?,
            given => given.to_vec(),
        };
        let mut rows = Vec::new();
        for path in paths {
            rows.extend(self.rows(&Recording::read(&path, self.period)?));
        }
        let ours = || {
            rows.iter()
                .filter(|row: &&Row| row.rule.starts_with(MARGIN))
        };
        Ok(Report {
            command: Invocation::this(),
            aims_met: ours().filter(|row| row.aim_met == Some(true)).count(),
            aims: ours().count(),
            rows,
        })
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        match recording {
            Recording::Latencies(trace) => {
                let hindsight = Sorted::new(trace);
                let mut rows = self.rules(trace, &hindsight, &FIXED_NANOS);
                let outcome = probing::replay(trace);
                rows.push(Row::new(trace, &hindsight, "sdl3", None, None, outcome));
                rows
            }
            Recording::Policies(policies) => policies
                .slices()
                .iter()
                .flat_map(|(sliced, fixed)| {
                    self.rules(sliced, fixed, &sliced.margins().collect::<Vec<_>>())
                })
                .collect(),
        }
    }

    /// Every rule but those that need a plain list of latencies.
    fn rules(
        &self,
        recorded: &impl Recorded,
        hindsight: &dyn Hindsight,
        fixed_nanos: &[u64],
    ) -> Vec<Row> {
        let row = |rule: &str, requested, budget, outcome| {
            Row::new(recorded, hindsight, rule, requested, budget, outcome)
        };
        let asked_for = without_repetitions(&self.requested);
        let mut rows = Vec::new();
        for budget in without_repetitions(&self.budgets) {
            let rule = if budget.share() < 1.0 {
                MARGIN
            } else {
                "margin-no-budget"
            };
            for &requested in &asked_for {
                let outcome = replay(recorded, &mut Margin::new(requested, budget));
                rows.push(row(rule, Some(requested), Some(budget), outcome));
            }
        }
        for &requested in &asked_for {
            let outcome = replay(recorded, &mut RobbinsMonro::new(requested.share()));
            rows.push(row("robbins-monro", Some(requested), None, outcome));
        }
        let outcome = replay(recorded, &mut MeanAndDeviation::default());
        rows.push(row("mean-plus-sigma", None, None, outcome));
        for &margin in fixed_nanos {
            let outcome = replay(recorded, &mut Fixed(margin));
            let rule = format!("fixed-{}us", margin / 1_000);
            rows.push(row(&rule, None, None, outcome));
        }
        rows
    }
}

/// What a wait meets is what was recorded of its turn. It is late if the latency exceeds the margin,
/// and spins what the margin exceeds the latency by. A margin of a period or more spins all of the
/// period and learns nothing: the latency passes unseen. A spin is late if it lost its processor.
///
/// A wait that ends past the next deadline moves the schedule: the next is a period after it, as it
/// was when the latencies were recorded.
fn replay(recorded: &impl Recorded, rule: &mut impl Rule) -> Outcome {
    let period = recorded.period_ns();
    let wait = Duration::from_nanos(period);
    let mut outcome = Outcome::default();
    for turn in 0..recorded.waits() {
        let margin = rule.margin(wait);
        let met = recorded.met(turn, margin);
        let spun_whole = margin >= period;
        let (lateness, spun) = if spun_whole {
            (met.overrun_ns, period)
        } else if met.latency_ns > margin {
            (met.latency_ns - margin, 0)
        } else {
            (met.overrun_ns, margin - met.latency_ns)
        };
        let moved = if lateness > period { lateness } else { 0 };
        let elapsed = wait + Duration::from_nanos(moved);
        let mut observation = Observation::new(wait, elapsed)
            .with_spun(Duration::from_nanos(spun))
            .with_lateness(Duration::from_nanos(lateness));
        if !spun_whole {
            observation = observation.with_latency(Duration::from_nanos(met.latency_ns));
        }
        rule.learn(observation);
        outcome.waits += 1;
        outcome.late += u64::from(lateness > 0);
        outcome.spun_ns += u128::from(spun);
        outcome.elapsed_ns += u128::from(nanos(observation.elapsed));
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

impl Row {
    fn new(
        recorded: &impl Recorded,
        hindsight: &dyn Hindsight,
        rule: &str,
        requested: Option<LateRate>,
        budget: Option<Budget>,
        outcome: Outcome,
    ) -> Self {
        let (late_share, spin_ns) = (outcome.late_share(), outcome.spin_ns());
        let hindsight_spin_ns = hindsight.spin_ns(late_share);
        let requested = requested.map(LateRate::share);
        let best_late_share = hindsight.late_share(budget.map_or(1.0, Budget::share));
        let affordable = |requested| {
            let elapsed = outcome.elapsed_ns as f64 / outcome.waits.max(1) as f64;
            let earned = |budget: Budget| budget.share() * elapsed;
            let spin = hindsight.spin_ns(requested);
            budget.is_none_or(|budget| spin.is_some_and(|spin| spin <= earned(budget)))
        };
        let late_aim = requested.map(|requested| {
            let affordable = affordable(requested);
            verdict::late_aim(
                late_share,
                requested,
                outcome.waits,
                affordable,
                best_late_share,
            )
        });
        // What makes the fewest waits late costs what it costs, within the budget.
        let spin_aim_met = late_aim == Some(LateAim::Best)
            || hindsight_spin_ns.is_none_or(|best| spin_ns <= MOST_SPIN * best);
        Self {
            trace: recorded.name().to_owned(),
            rule: rule.to_owned(),
            requested,
            budget: budget.map(Budget::share),
            waits: outcome.waits,
            late_share,
            spin_ns,
            spun_share: outcome.spun_share(),
            hindsight_spin_ns,
            ratio: hindsight_spin_ns
                .filter(|&best| best > 0.0)
                .map(|best| spin_ns / best),
            late_tolerance: requested.map(|requested| verdict::tolerance(requested, outcome.waits)),
            best_late_share,
            late_aim,
            spin_aim_met,
            aim_met: late_aim.map(|late_aim| late_aim != LateAim::Missed && spin_aim_met),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Trace;

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
        let trace = Trace {
            name: "made up".to_owned(),
            period_ns: 1_000,
            latencies_ns: vec![100, 300, 2_500],
        };
        let heard = Vec::new();
        let mut listener = Listener { margin, heard };
        let outcome = replay(&trace, &mut listener);
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
        assert_eq!(
            parse_budget("none"),
            Budget::new(1.0).map_err(|error| error.to_string())
        );
        assert_eq!(parse_budget("5%").map(Budget::share), Ok(0.05));
    }
}
