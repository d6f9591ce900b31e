//! What the border costs: the same waits from Rust, from C and from C++.

mod languages;
mod report;
mod way;

use crate::aim::{Aim, Bound};
use crate::failure::Failure;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::statistics::LATE;
use fastrand::Rng;
use hdrhistogram::Histogram;
use languages::Contender;
use serde::Serialize;
use std::time::Duration;
use way::Way;

/// What is measured.
#[derive(Debug)]
pub struct Plan {
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub rows: Vec<Row>,
    pub differences: Vec<Difference>,
    pub aims: Vec<Aim>,
}

/// One way of waiting from one language.
#[derive(Debug, Serialize)]
pub struct Row {
    pub way: &'static str,
    pub language: &'static str,
    pub waits: u64,
    pub late_over_1us_share: f64,
    pub p50_ns: u64,
    pub p90_ns: u64,
    pub p99_ns: u64,
}

/// How much later a language's waits end than Rust's, round by round: the medians of two blocks that were
/// waited one shortly after the other.
#[derive(Debug, Serialize)]
pub struct Difference {
    pub way: &'static str,
    pub language: &'static str,
    pub rounds: usize,
    pub low_ns: f64,
    pub median_ns: f64,
    pub high_ns: f64,
    /// Half the range in which the median of endless rounds is, with 95 %.
    pub uncertainty_ns: f64,
}

/// What a block waits for: as many deadlines, as far apart.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub period: Duration,
    pub waits: u32,
}

const BLOCK: Block = Block {
    period: Duration::from_millis(1),
    waits: 100,
};

/// Rounds before any counts: caches warm up, and who learns has begun to.
const WARM_UP: u32 = 3;
const ROUNDS: u32 = 60;
const QUICK_ROUNDS: u32 = 6;

/// The most that a language may add to a median.
const AIM_NS: f64 = 30.0;

/// One way from one language, with all that it has done.
struct Series {
    way: Way,
    contender: Box<dyn Contender>,
    waits: Histogram<u64>,
    medians: Vec<f64>,
}

impl Plan {
    /// Measures everything; a minute.
    pub fn run(&self) -> Result<Report, Failure> {
        let mut all = Vec::new();
        for way in Way::ALL {
            for contender in languages::all(way)? {
                all.push(Series::new(way, contender)?);
            }
        }
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        let block = BLOCK.period * BLOCK.waits;
        let blocks = u32::try_from(all.len())? * (WARM_UP + rounds);
        let progress = Progress::new(block * blocks)?;
        for round in 0..WARM_UP + rounds {
            for place in order(all.len(), round) {
                let series = &mut all[place];
                let (way, language) = (series.way.name(), series.contender.language());
                progress.announce(format!("{language}, {way}"));
                series.block(round >= WARM_UP)?;
                progress.advance(block);
            }
        }
        progress.end();
        let differences = differences(&all);
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            rows: all.iter().map(Series::row).collect(),
            aims: differences.iter().map(Difference::aim).collect(),
            differences,
        })
    }
}

impl Series {
    fn new(way: Way, contender: Box<dyn Contender>) -> Result<Self, Failure> {
        Ok(Self {
            way,
            contender,
            waits: Histogram::new(3)?,
            medians: Vec::new(),
        })
    }

    fn block(&mut self, counts: bool) -> Result<(), Failure> {
        let mut latenesses = self.contender.wait(BLOCK)?;
        if !counts {
            return Ok(());
        }
        for &lateness in &latenesses {
            self.waits.saturating_record(lateness);
        }
        latenesses.sort_unstable();
        let median = latenesses.get(latenesses.len() / 2);
        let median = *median.ok_or("every deadline of a block had passed")?;
        self.medians.push(median as f64);
        Ok(())
    }

    fn row(&self) -> Row {
        let limit = u64::try_from(LATE.as_nanos()).unwrap_or(u64::MAX);
        let in_time = self.waits.count_between(0, limit);
        let waits = self.waits.len();
        Row {
            way: self.way.name(),
            language: self.contender.language(),
            waits,
            late_over_1us_share: (waits - in_time) as f64 / waits as f64,
            p50_ns: self.waits.value_at_quantile(0.50),
            p90_ns: self.waits.value_at_quantile(0.90),
            p99_ns: self.waits.value_at_quantile(0.99),
        }
    }
}

/// Of each that is not Rust's, against Rust's of the same way, which stands first.
fn differences(all: &[Series]) -> Vec<Difference> {
    let ways = all.chunk_by(|a, b| a.way == b.way);
    ways.flat_map(|series| {
        let (rust, others) = series.split_first().expect("a chunk has a first");
        let against_rust = |other: &Series| Difference::of(rust, other);
        others.iter().map(against_rust).collect::<Vec<_>>()
    })
    .collect()
}

impl Difference {
    fn of(rust: &Series, other: &Series) -> Self {
        let pairs = other.medians.iter().zip(&rust.medians);
        let rounds = pairs.map(|(theirs, ours)| theirs - ours).collect();
        Self::over(other.way.name(), other.contender.language(), rounds)
    }

    fn over(way: &'static str, language: &'static str, mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        let last = rounds.len() - 1;
        let (quarter, middle) = ((last + 2) / 4, last / 2);
        // The ranks between which the median of endless rounds is with 95 %: 1.96 standard deviations of a
        // binomial distribution, each of which is half the root of the number of rounds.
        let half = rounds.len().isqrt();
        let (from, to) = (middle.saturating_sub(half), last.min(middle + half));
        Self {
            way,
            language,
            rounds: rounds.len(),
            low_ns: rounds[quarter],
            median_ns: rounds[middle],
            high_ns: rounds[last - quarter],
            uncertainty_ns: (rounds[to] - rounds[from]) / 2.0,
        }
    }

    fn aim(&self) -> Aim {
        let what = format!("{}, {}: ns later than Rust", self.language, self.way);
        Aim::new(&what, Bound::Below(AIM_NS), Some(self.median_ns))
    }
}

/// Each place once, in an order that only `round` decides.
fn order(places: usize, round: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..places).collect();
    Rng::with_seed(round.into()).shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_a_median_with_its_spread() {
        let rounds = (0..101).rev().map(f64::from).collect();
        let difference = Difference::over("ticker", "C", rounds);
        let quartiles = (difference.low_ns, difference.median_ns, difference.high_ns);
        assert_eq!(quartiles, (25.0, 50.0, 75.0));
        assert_eq!(difference.uncertainty_ns, 10.0);
        assert!(!difference.aim().reached);
    }

    #[test]
    fn one_round_has_no_spread() {
        let difference = Difference::over("ticker", "C", vec![7.0]);
        assert_eq!(
            (difference.median_ns, difference.uncertainty_ns),
            (7.0, 0.0)
        );
        assert!(difference.aim().reached);
    }
}
