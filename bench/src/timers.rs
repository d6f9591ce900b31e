//! Timer queues, side by side: what inserting, cancelling and expiring take, and how much memory.

mod structures;
mod workload;

use crate::failure::Failure;
use crate::given::{is_among, without_repetitions};
use crate::report::{Aim, Bound, Cell, Column, Report, Table, plain};
use crate::row;
use crate::statistics::Spread;
use crate::turns::Turns;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use punctual_command::stop::Stop;
#[cfg(feature = "tokio-util")]
use structures::tokio_util;
use structures::{HierarchicalHashWheel, LazyHeap, Nexus, Punctual, Sorted};
use workload::{Figures, OPERATIONS, Workload};

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes a minute, with a tenth of the operations on 10 million timers. The figures are too rough to publish.
    #[arg(long)]
    quick: bool,

    /// How many timers to keep; may be given several times [default: 1000, 10000, 100000, 1000000 and 10000000].
    #[arg(
        long = "timers",
        value_name = "COUNT",
        value_parser = RangedU64ValueParser::<u64>::new().range(1..=100_000_000)
    )]
    timers: Vec<u64>,

    /// A peer to compare with Punctual; may be given several times [default: all].
    #[arg(
        long = "structure",
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(peers())
    )]
    structures: Vec<String>,

    /// Leaves one more timer in each queue. Some queues are faster after they were empty.
    #[arg(long)]
    never_empty: bool,
}

/// The only one that is ours.
const PUNCTUAL: &str = "punctual";

const USUAL: [u64; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// With as many timers or more one round takes minutes, and chance is averaged out within it.
const ONE_ROUND_FROM: u64 = 10_000_000;

/// If it is to be quick, one in so many of those is churned, cancelled and expired.
const QUICK_ONE_IN: u64 = 10;

const ROUNDS: u32 = 3;

/// A structure, what it rounds deadlines to, and how it is run.
#[derive(Debug, Clone, Copy)]
struct Contender {
    name: &'static str,
    granularity_ns: u64,
    run: fn(Workload) -> Figures,
}

const MILLISECOND: u64 = 1_000_000;

/// Punctual first.
const CONTENDERS: &[Contender] = &[
    Contender {
        name: PUNCTUAL,
        granularity_ns: 1,
        run: Workload::run::<Punctual>,
    },
    #[cfg(feature = "tokio-util")]
    Contender {
        name: "tokio-util",
        granularity_ns: MILLISECOND,
        run: Workload::run::<tokio_util::TokioUtil>,
    },
    Contender {
        name: "hierarchical_hash_wheel_timer",
        granularity_ns: MILLISECOND,
        run: Workload::run::<HierarchicalHashWheel>,
    },
    Contender {
        name: "nexus-timer",
        granularity_ns: MILLISECOND,
        run: Workload::run::<Nexus>,
    },
    Contender {
        name: "std-binary-heap",
        granularity_ns: 1,
        run: Workload::run::<LazyHeap>,
    },
    Contender {
        name: "std-btree-map",
        granularity_ns: 1,
        run: Workload::run::<Sorted>,
    },
];

/// The names of all that Punctual can be measured beside.
fn peers() -> impl Iterator<Item = &'static str> {
    CONTENDERS.iter().map(|contender| contender.name).skip(1)
}

/// Up to so many timers there are aims.
const MOST: u64 = 1_000_000;

/// The next best peer crate's churn over ours.
const CHURN_TIMES: f64 = 2.0;
const CHURN: usize = 2;

/// Not crates that one would take for a timer queue.
const STANDARD: [&str; 2] = ["std-binary-heap", "std-btree-map"];

const NOTE: &str = "Nanoseconds per operation: medians of the rounds, ± half the range. churn: cancel one timer and insert another. \
     Deadlines are spread evenly over 60 s, to the nanosecond; structures marked ms round them to milliseconds. bytes: \
     memory allocated per timer.";

impl Plan {
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let usual = without_repetitions(&self.timers);
        let sizes = if usual.is_empty() {
            USUAL.to_vec()
        } else {
            usual
        };
        let takes_part =
            |it: &&Contender| it.name == PUNCTUAL || is_among(&self.structures, it.name);
        let mut contenders: Vec<Contender> =
            CONTENDERS.iter().filter(takes_part).copied().collect();
        let rounds: u32 = sizes.iter().map(|&timers| self.rounds(timers)).sum();
        let turns = Turns::new(stop, contenders.len() * rounds as usize);
        let mut report = Report {
            note: NOTE.to_owned(),
            ..Report::default()
        };
        for timers in sizes {
            let one_in = match self.quick && timers >= ONE_ROUND_FROM {
                true => QUICK_ONE_IN,
                false => 1,
            };
            let taken = turns.take(
                &mut contenders,
                0,
                self.rounds(timers),
                |contender, round| {
                    turns.announce(format!("{timers} timers, {}", contender.name));
                    Ok((contender.run)(Workload {
                        timers,
                        seed: round.into(),
                        one_in,
                        never_empty: self.never_empty,
                    }))
                },
            )?;
            report.add(timers, &contenders, &taken);
        }
        Ok(report)
    }

    fn rounds(&self, timers: u64) -> u32 {
        if self.quick || timers >= ONE_ROUND_FROM {
            1
        } else {
            ROUNDS
        }
    }
}

impl Report {
    /// All with one number of timers, Punctual first.
    fn add(&mut self, timers: u64, contenders: &[Contender], taken: &[Vec<Figures>]) {
        let of = |turns: &[Figures], figure: usize| -> Vec<f64> {
            turns.iter().map(|figures| figures[figure]).collect()
        };
        let mut columns = vec![
            Column::words("structure", "", 30),
            Column::words("granularity", "", 3),
            Column::hidden("timers"),
        ];
        let keys = ["insert_ns", "cancel_ns", "churn_ns", "expire_ns"];
        let operations = keys.into_iter().zip(OPERATIONS);
        columns.extend(operations.map(|(key, name)| Column::figure(key, name, 10, plain::<0>)));
        columns.push(Column::figure("bytes", "bytes", 7, plain::<0>));
        columns.push(Column::hidden("churn_ratio"));
        let mut table = Table::new("rows", format!("{timers} timers"), columns);
        let mut ratios = Vec::new();
        for (contender, turns) in contenders.iter().zip(taken) {
            let spreads = [0, 1, 2, 3, 4].map(|figure| Spread::of(of(turns, figure)));
            let churn_ratio = Spread::of_ratios(&of(turns, CHURN), &of(&taken[0], CHURN));
            let unit = if contender.granularity_ns == 1 {
                ""
            } else {
                "ms"
            };
            let mut row = row![contender.name, unit, timers];
            row.extend(spreads[..4].iter().map(|&spread| Cell::from(spread)));
            row.extend(row![spreads[4].map(|bytes| bytes.median), churn_ratio]);
            table.push(row);
            let medians: Option<Vec<f64>> =
                spreads[..4].iter().map(|it| Some((*it)?.median)).collect();
            ratios.push((contender.name, churn_ratio.map(|it| it.median), medians));
        }
        self.tables.push(table);
        if timers <= MOST {
            self.aims.extend(aims(timers, &ratios));
        }
    }
}

/// A structure's churn over Punctual's, and what each operation takes it.
type Medians = (&'static str, Option<f64>, Option<Vec<f64>>);

fn aims(timers: u64, all: &[Medians]) -> [Aim; 2] {
    let least = |values: &mut dyn Iterator<Item = f64>| values.min_by(f64::total_cmp);
    let others = || all.iter().filter(|(name, ..)| *name != PUNCTUAL);
    let crates = others().filter(|(name, ..)| !STANDARD.contains(name));
    let churn = least(&mut crates.filter_map(|(_, ratio, _)| *ratio));
    let ours = all
        .first()
        .and_then(|(.., medians)| medians.clone())
        .unwrap_or_default();
    let fastest = least(
        &mut others()
            .filter_map(|(.., medians)| medians.as_ref())
            .flat_map(|theirs| theirs.iter().zip(&ours).map(|(theirs, ours)| theirs / ours)),
    );
    [
        Aim::new(
            &format!("peer crates' churn over ours, {timers} timers"),
            Bound::AtLeast(CHURN_TIMES),
            churn,
        ),
        Aim::new(
            &format!("any other's time over ours, {timers} timers"),
            Bound::AtLeast(1.0),
            fastest,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aims_compare_with_the_best_of_the_others() {
        let of = |name, churn: f64| {
            (
                name,
                Some(churn / 10.0),
                Some(vec![10.0, 10.0, churn, 10.0]),
            )
        };
        let all = [
            of(PUNCTUAL, 10.0),
            of("nexus-timer", 30.0),
            of("std-btree-map", 8.0),
        ];
        let [churn, fastest] = aims(1_000, &all);
        assert_eq!((churn.value, churn.reached), (Some(3.0), true));
        assert_eq!((fastest.value, fastest.reached), (Some(0.8), false));
        assert!(aims(1_000, &all[..1]).iter().all(|aim| !aim.reached));
    }
}
