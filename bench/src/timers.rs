//! Timer queues, side by side: what inserting, cancelling and expiring take, and how much memory.

mod aims;
mod output;
mod report;
mod rounds;
mod structures;
mod workload;

use crate::aim::Aim;
use crate::failure::Failure;
use crate::given::{is_among, without_repetitions};
use crate::machine::{Invocation, Machine};
use crate::simulation::rates::Spread;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use output::Output;
use rounds::Rounds;
use serde::Serialize;
use std::time::Duration;
#[cfg(feature = "tokio-util")]
use structures::tokio_util;
use structures::{binary_heap, btree_map, hierarchical_hash_wheel, nexus, punctual};
use workload::{Figures, Workload};

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes a minute, with a tenth of the operations on 10 million timers. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,

    /// How many timers to keep; may be given several times [default: 1000, 10000, 100000, 1000000 and 10000000].
    #[arg(
        long = "timers",
        value_name = "COUNT",
        value_parser = RangedU64ValueParser::<u64>::new().range(1..=100_000_000)
    )]
    pub timers: Vec<u64>,

    /// A peer to compare with Punctual; may be given several times [default: all].
    #[arg(
        long = "structure",
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(peers())
    )]
    pub structures: Vec<String>,

    /// Leaves one more timer in each queue. Some queues are faster after they were empty.
    #[arg(long)]
    pub never_empty: bool,
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
#[derive(Debug, Clone, Serialize)]
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

/// With as many timers or more one round takes minutes, and chance is averaged out within it.
const ONE_ROUND_FROM: u64 = 10_000_000;

/// If it is to be quick, one in so many of those is churned, cancelled and expired.
const QUICK_ONE_IN: u64 = 10;

const ROUNDS: u32 = 3;

/// A structure, what it rounds deadlines to, and how it is run.
#[derive(Debug)]
struct Contender {
    name: &'static str,
    granularity: Duration,
    run: fn(Workload) -> Figures,
}

const NANOSECOND: Duration = Duration::from_nanos(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// Punctual first.
const CONTENDERS: &[Contender] = &[
    Contender {
        name: PUNCTUAL,
        granularity: NANOSECOND,
        run: Workload::run::<punctual::Punctual>,
    },
    #[cfg(feature = "tokio-util")]
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

/// The names of all that Punctual can be measured beside.
pub fn peers() -> impl Iterator<Item = &'static str> {
    CONTENDERS.iter().map(|contender| contender.name).skip(1)
}

impl Plan {
    /// Measures, and prints. See [`Output`].
    pub fn run(&self) -> Result<(), Failure> {
        let sizes = self.sizes();
        let turns = sizes.iter().map(|&timers| {
            let contenders = u32::try_from(self.contenders().count()).unwrap_or(u32::MAX);
            self.duration(timers) * self.rounds(timers) * contenders
        });
        let output = Output::begin(self.json, turns.sum())?;
        for timers in sizes {
            self.measure(timers, &output);
        }
        output.end()
    }

    fn sizes(&self) -> Vec<u64> {
        if self.timers.is_empty() {
            USUAL.to_vec()
        } else {
            without_repetitions(&self.timers)
        }
    }

    fn contenders(&self) -> impl Iterator<Item = &'static Contender> {
        CONTENDERS
            .iter()
            .filter(|it| it.name == PUNCTUAL || is_among(&self.structures, it.name))
    }

    fn rounds(&self, timers: u64) -> u32 {
        if self.quick || timers >= ONE_ROUND_FROM {
            1
        } else {
            ROUNDS
        }
    }

    fn one_in(&self, timers: u64) -> u64 {
        if self.quick && timers >= ONE_ROUND_FROM {
            QUICK_ONE_IN
        } else {
            1
        }
    }

    /// All structures in turn, over and over, there and back again.
    fn measure(&self, timers: u64, output: &Output) {
        output.announce_size(Rounds::new(timers, self.contenders()));
        for round in 0..self.rounds(timers) {
            let mut turns: Vec<_> = self.contenders().enumerate().collect();
            if round % 2 == 1 {
                turns.reverse();
            }
            for (place, contender) in turns {
                output.announce_turn(timers, contender.name);
                let figures = (contender.run)(Workload {
                    timers,
                    seed: round.into(),
                    one_in: self.one_in(timers),
                    never_empty: self.never_empty,
                });
                output.add(place, figures, self.duration(timers));
            }
        }
        output.print_size();
    }

    /// About what a turn takes: for the progress.
    fn duration(&self, timers: u64) -> Duration {
        const EACH: Duration = Duration::from_nanos(4_000);
        let timers = timers.max(workload::LEAST_OPERATIONS) / self.one_in(timers);
        EACH * u32::try_from(timers).unwrap_or(u32::MAX)
    }
}
