//! Timer queues, side by side: what inserting, cancelling and expiring take, and how much memory.

mod aims;
mod report;
mod structures;
mod workload;

use crate::aim::Aim;
use crate::failure::Failure;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::simulation::rates::Spread;
use serde::Serialize;
use std::time::Duration;
use structures::{binary_heap, btree_map, hierarchical_hash_wheel, nexus, punctual, tokio_util};
use workload::{Figures, Workload};

/// What is measured.
#[derive(Debug)]
pub struct Plan {
    /// None: the usual numbers.
    pub timers: Vec<u64>,
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub rows: Vec<Row>,
    pub aims: Vec<Aim>,
}

/// One structure with so many timers. Medians of the rounds.
#[derive(Debug, Serialize)]
pub struct Row {
    pub structure: &'static str,
    /// What its deadlines are rounded to.
    pub granularity_ns: u64,
    pub timers: u64,
    #[serde(flatten)]
    pub medians: Figures,
    pub lowest: Figures,
    pub highest: Figures,
    /// Its churn over Punctual's, round by round.
    pub churn_ratio: Spread,
}

/// The only one that is ours.
pub const PUNCTUAL: &str = "punctual";

const USUAL: [u64; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// More than this takes minutes.
const QUICK_MOST: u64 = 1_000_000;

/// With as many timers or more one round takes minutes, and chance is averaged out within it.
const ONE_ROUND_FROM: u64 = 10_000_000;

const ROUNDS: u32 = 3;

/// A structure, what it rounds deadlines to, and how it is run.
struct Contender {
    name: &'static str,
    granularity: Duration,
    run: fn(Workload) -> Figures,
}

const NANOSECOND: Duration = Duration::from_nanos(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// Punctual first.
const CONTENDERS: [Contender; 6] = [
    Contender {
        name: PUNCTUAL,
        granularity: NANOSECOND,
        run: Workload::run::<punctual::Punctual>,
    },
    Contender {
        name: "tokio-util",
        granularity: MILLISECOND,
        run: Workload::run::<tokio_util::TokioUtil>,
    },
    Contender {
        name: "hierarchical_hash_wheel_timer",
        granularity: MILLISECOND,
        run: Workload::run::<hierarchical_hash_wheel::HierarchicalHashWheel>,
    },
    Contender {
        name: "nexus-timer",
        granularity: MILLISECOND,
        run: Workload::run::<nexus::Nexus>,
    },
    Contender {
        name: "std-binary-heap",
        granularity: NANOSECOND,
        run: Workload::run::<binary_heap::LazyHeap>,
    },
    Contender {
        name: "std-btree-map",
        granularity: NANOSECOND,
        run: Workload::run::<btree_map::Sorted>,
    },
];

impl Plan {
    pub fn run(&self) -> Result<Report, Failure> {
        let sizes = self.sizes();
        let round = |timers| -> Duration { CONTENDERS.iter().map(|_| duration(timers)).sum() };
        let turns = sizes
            .iter()
            .map(|&timers| round(timers) * self.rounds(timers));
        let progress = Progress::new(turns.sum())?;
        let mut rows = Vec::new();
        for timers in sizes {
            rows.extend(self.rows(timers, &progress)?);
        }
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            aims: aims::of(&rows),
            rows,
        })
    }

    fn sizes(&self) -> Vec<u64> {
        if !self.timers.is_empty() {
            return self.timers.clone();
        }
        let most = if self.quick { QUICK_MOST } else { u64::MAX };
        USUAL.into_iter().filter(|&timers| timers <= most).collect()
    }

    fn rounds(&self, timers: u64) -> u32 {
        if self.quick || timers >= ONE_ROUND_FROM {
            1
        } else {
            ROUNDS
        }
    }

    /// All structures in turn, over and over, there and back again.
    fn rows(&self, timers: u64, progress: &Progress) -> Result<Vec<Row>, Failure> {
        let mut all: Vec<Vec<Figures>> = CONTENDERS.iter().map(|_| Vec::new()).collect();
        for round in 0..self.rounds(timers) {
            let mut turns: Vec<_> = CONTENDERS.iter().zip(&mut all).collect();
            if round % 2 == 1 {
                turns.reverse();
            }
            for (contender, rounds) in turns {
                progress.announce(format!("{timers} timers, {}", contender.name));
                let seed = round.into();
                rounds.push((contender.run)(Workload { timers, seed }));
                progress.advance(duration(timers));
            }
        }
        let rows = CONTENDERS.iter().zip(&all);
        rows.map(|(contender, rounds)| contender.row(timers, rounds, &all[0]))
            .collect()
    }
}

impl Contender {
    fn row(&self, timers: u64, rounds: &[Figures], ours: &[Figures]) -> Result<Row, Failure> {
        let churn = |rounds: &[Figures]| -> Vec<f64> {
            rounds.iter().map(|figures| figures.churn_ns).collect()
        };
        let (theirs, ours) = (churn(rounds), churn(ours));
        Ok(Row {
            structure: self.name,
            granularity_ns: workload::nanos(self.granularity),
            timers,
            medians: Figures::each(rounds, |spread| spread.median)?,
            lowest: Figures::each(rounds, |spread| spread.low)?,
            highest: Figures::each(rounds, |spread| spread.high)?,
            churn_ratio: Spread::of_ratios(&theirs, &ours).ok_or("there was no round")?,
        })
    }
}

/// About what a turn takes: for the progress.
fn duration(timers: u64) -> Duration {
    const EACH: Duration = Duration::from_nanos(4_000);
    EACH * u32::try_from(timers.max(workload::LEAST_OPERATIONS)).unwrap_or(u32::MAX)
}
