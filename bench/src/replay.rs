//! Recorded wake-up latencies, replayed through Punctual's margin and through its peers' rules.

mod hindsight;
mod probing;
mod report;
mod rules;
pub mod trace;
mod verdict;

use crate::machine::Invocation;
use crate::statistics::nanos;
use hindsight::Hindsight;
use punctual::Margin;
use punctual::margin::{Budget, LateRate, Observation};
use rules::{Fixed, MeanAndDeviation, RobbinsMonro, Rule};
use serde::Serialize;
use std::time::Duration;
use trace::Trace;
use verdict::{LateAim, MOST_SPIN};

/// What is replayed.
#[derive(Debug)]
pub struct Plan {
    pub traces: Vec<Trace>,
    pub requested: Vec<LateRate>,
    /// Each with a margin of its own; the whole of the time is no budget.
    pub budgets: Vec<Budget>,
}

/// Everything that came of it.
#[derive(Debug, Serialize)]
pub struct Report {
    pub command: Invocation,
    pub rows: Vec<Row>,
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
    /// What the best fixed margin with no more late waits would have spun.
    pub hindsight_spin_ns: f64,
    /// None if that is nothing.
    pub ratio: Option<f64>,
    pub late_tolerance: Option<f64>,
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

/// The margins that spin_sleep ships with, for Unix and for Windows.
const FIXED_NANOS: [u64; 2] = [125_000, 700_000];

impl Plan {
    pub fn run(&self) -> Report {
        Report {
            command: Invocation::this(),
            rows: self
                .traces
                .iter()
                .flat_map(|trace| self.rows(trace))
                .collect(),
        }
    }

    fn rows(&self, trace: &Trace) -> Vec<Row> {
        let hindsight = Hindsight::new(trace);
        let row = |rule: &str, requested, budget, outcome| {
            Row::new(trace, &hindsight, rule, requested, budget, outcome)
        };
        let mut rows = Vec::new();
        for &budget in &self.budgets {
            let rule = if budget.share() < 1.0 {
                "margin"
            } else {
                "margin-no-budget"
            };
            for &requested in &self.requested {
                let outcome = replay(trace, &mut Margin::new(requested, budget));
                rows.push(row(rule, Some(requested), Some(budget), outcome));
            }
        }
        for &requested in &self.requested {
            let outcome = replay(trace, &mut RobbinsMonro::new(requested.share()));
            rows.push(row("robbins-monro", Some(requested), None, outcome));
        }
        let outcome = replay(trace, &mut MeanAndDeviation::default());
        rows.push(row("mean-plus-sigma", None, None, outcome));
        for margin in FIXED_NANOS {
            let outcome = replay(trace, &mut Fixed(margin));
            rows.push(row(
                &format!("fixed-{}us", margin / 1_000),
                None,
                None,
                outcome,
            ));
        }
        rows.push(row("sdl3", None, None, probing::replay(trace)));
        rows
    }
}

/// Every latency is what one wait of a period meets. It is late if the latency exceeds the margin,
/// and spins what the margin exceeds the latency by. A margin of a period or more spins all of the
/// period, is not late, and learns nothing: the latency passes unseen.
///
/// A wait that ends past the next deadline moves the schedule: the next is a period after it, as it
/// was when the latencies were recorded.
fn replay(trace: &Trace, rule: &mut impl Rule) -> Outcome {
    let wait = Duration::from_nanos(trace.period_ns);
    let mut outcome = Outcome::default();
    for &latency in &trace.latencies_ns {
        let margin = rule.margin(wait);
        let spun_whole = margin >= trace.period_ns;
        let (lateness, spun) = if spun_whole {
            (0, trace.period_ns)
        } else {
            (
                latency.saturating_sub(margin),
                margin.saturating_sub(latency),
            )
        };
        let moved = if lateness > trace.period_ns {
            lateness
        } else {
            0
        };
        let elapsed = wait + Duration::from_nanos(moved);
        let mut observation = Observation::new(wait, elapsed).with_spun(Duration::from_nanos(spun));
        if !spun_whole {
            observation = observation.with_latency(Duration::from_nanos(latency));
        }
        rule.learn(observation);
        outcome.waits += 1;
        outcome.late += u64::from(lateness > 0);
        outcome.spun_ns += u128::from(spun);
        outcome.elapsed_ns += u128::from(nanos(observation.elapsed));
    }
    outcome
}

impl Row {
    fn new(
        trace: &Trace,
        hindsight: &Hindsight,
        rule: &str,
        requested: Option<LateRate>,
        budget: Option<Budget>,
        outcome: Outcome,
    ) -> Self {
        let waits = outcome.waits.max(1) as f64;
        let late_share = outcome.late as f64 / waits;
        let spin_ns = outcome.spun_ns as f64 / waits;
        let hindsight_spin_ns = hindsight.spin_ns(late_share);
        let requested = requested.map(LateRate::share);
        let affordable = |requested| {
            let earned = |budget: Budget| budget.share() * outcome.elapsed_ns as f64 / waits;
            budget.is_none_or(|budget| hindsight.spin_ns(requested) <= earned(budget))
        };
        let late_aim = requested.map(|requested| {
            verdict::late_aim(late_share, requested, outcome.waits, affordable(requested))
        });
        let spin_aim_met = spin_ns <= MOST_SPIN * hindsight_spin_ns;
        Self {
            trace: trace.name.clone(),
            rule: rule.to_owned(),
            requested,
            budget: budget.map(Budget::share),
            waits: outcome.waits,
            late_share,
            spin_ns,
            spun_share: outcome.spun_ns as f64 / outcome.elapsed_ns.max(1) as f64,
            hindsight_spin_ns,
            ratio: (hindsight_spin_ns > 0.0).then(|| spin_ns / hindsight_spin_ns),
            late_tolerance: requested.map(|requested| verdict::tolerance(requested, outcome.waits)),
            late_aim,
            spin_aim_met,
            aim_met: late_aim.map(|late_aim| late_aim != LateAim::Missed && spin_aim_met),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
