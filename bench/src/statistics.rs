//! What several turns say together, and what a row of the table says about the blocks of one contender.

use crate::failure::Failure;
use crate::waiting::grid::Outcome;
use hdrhistogram::Histogram;
use serde::Serialize;
use std::time::Duration;

/// Later than this is late: a wait that spun ends within some hundred nanoseconds, one that did not
/// ends after tens of microseconds.
pub const LATE: Duration = Duration::from_micros(1);

/// Later than this is what programs without any spinning see: Linux's default timer slack alone.
pub const VERY_LATE: Duration = Duration::from_micros(50);

/// Percentiles to a tenth of a percent; exact below 2 µs.
const DIGITS: u8 = 3;

/// What became of the deadlines of one contender.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    pub waits: u64,
    /// Deadlines that had passed when their turn came. `None`: the contender does not tell.
    pub missed: Option<u64>,
    pub late_over_1us_share: f64,
    /// First quartile of the blocks' late shares.
    pub late_share_low: Option<f64>,
    /// Third quartile of the blocks' late shares.
    pub late_share_high: Option<f64>,
    pub late_over_50us_share: f64,
    /// Of all deadlines, the missed ones among the late.
    pub late_or_missed_share: f64,
    pub p50_ns: u64,
    pub p99_ns: u64,
    /// Of all deadlines: of those that had passed, as late as they were found to be. `None`: the contender
    /// does not tell.
    pub p99_of_deadlines_ns: Option<u64>,
    pub max_ns: u64,
    /// Processor time over elapsed time, all blocks together.
    pub processor_share: Option<f64>,
    /// First quartile of the blocks' shares.
    pub processor_share_low: Option<f64>,
    /// Third quartile of the blocks' shares.
    pub processor_share_high: Option<f64>,
    /// Time spun over elapsed time, for contenders that tell.
    pub spun_share: Option<f64>,
}

impl Figures {
    pub fn of(blocks: &[Outcome]) -> Result<Self, Failure> {
        let mut histogram = Histogram::<u64>::new(DIGITS)?;
        for &lateness in blocks.iter().flat_map(|block| &block.latenesses) {
            histogram.record(lateness)?;
        }
        let waits = histogram.len();
        let missed: Option<u64> = blocks.iter().map(|block| block.missed.map(u64::from)).sum();
        let p99_of_deadlines_ns = p99_of_deadlines(blocks, &histogram)?;
        let late = count_over(blocks, LATE);
        let late_quartiles = quartiles(blocks.iter().map(late_share).collect());
        let processor_shares: Option<Vec<f64>> = blocks.iter().map(processor_share).collect();
        let quartiles = processor_shares.and_then(quartiles);
        Ok(Self {
            waits,
            missed,
            late_over_1us_share: share(late, waits),
            late_share_low: late_quartiles.map(|(low, _)| low),
            late_share_high: late_quartiles.map(|(_, high)| high),
            late_over_50us_share: share(count_over(blocks, VERY_LATE), waits),
            late_or_missed_share: share(late + missed.unwrap_or(0), waits + missed.unwrap_or(0)),
            p50_ns: histogram.value_at_quantile(0.50),
            p99_ns: histogram.value_at_quantile(0.99),
            p99_of_deadlines_ns,
            max_ns: histogram.max(),
            processor_share: pooled(blocks, |block| block.processor),
            processor_share_low: quartiles.map(|(low, _)| low),
            processor_share_high: quartiles.map(|(_, high)| high),
            spun_share: pooled(blocks, |block| block.spun),
        })
    }
}

impl Figures {
    /// Of all deadlines, those that had passed before their turn. `None`: the contender does not tell.
    pub fn missed_share(&self) -> Option<f64> {
        self.missed.map(|missed| share(missed, self.waits + missed))
    }
}

fn p99_of_deadlines(blocks: &[Outcome], waits: &Histogram<u64>) -> Result<Option<u64>, Failure> {
    let mut all = waits.clone();
    for block in blocks {
        if block.missed.map(|missed| missed as usize) != Some(block.passed.len()) {
            return Ok(None);
        }
        for &lateness in &block.passed {
            all.record(lateness)?;
        }
    }
    Ok(Some(all.value_at_quantile(0.99)))
}

/// The share of a block's waits that were late.
fn late_share(block: &Outcome) -> f64 {
    let late = count_over(std::slice::from_ref(block), LATE);
    share(late, block.latenesses.len().max(1) as u64)
}

/// Processor time of a block over its elapsed time.
pub fn processor_share(block: &Outcome) -> Option<f64> {
    Some(block.processor?.as_secs_f64() / block.elapsed.as_secs_f64())
}

/// First and third quartile, each the nearest value there is. Sorts.
pub fn quartiles(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let quarter = (last + 2) / 4;
    Some((values[quarter], values[last - quarter]))
}

fn pooled(blocks: &[Outcome], part: impl Fn(&Outcome) -> Option<Duration>) -> Option<f64> {
    let elapsed: Duration = blocks.iter().map(|block| block.elapsed).sum();
    let parts: Option<Vec<Duration>> = blocks.iter().map(part).collect();
    let sum: Duration = parts?.into_iter().sum();
    Some(sum.as_secs_f64() / elapsed.as_secs_f64())
}

fn count_over(blocks: &[Outcome], bound: Duration) -> u64 {
    let latenesses = blocks.iter().flat_map(|block| &block.latenesses);
    let over = latenesses.filter(|&&lateness| Duration::from_nanos(lateness) > bound);
    over.count() as u64
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// In microseconds. As many decimals as fit the column; where there is no room for three, they mean nothing.
pub fn micros(nanos: u64) -> String {
    let decimals = match nanos {
        0..1_000_000 => 3,
        1_000_000..100_000_000 => 1,
        _ => 0,
    };
    format!("{:.decimals$}", nanos as f64 / 1e3)
}

/// A duration in nanoseconds, or as many as fit.
pub fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// What came of one number of repetitions: rates, or ratios of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Spread {
    /// Middle and extremes: too few repetitions for anything finer. `None`: there were none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (low, high) = (*values.first()?, *values.last()?);
        let half = values.len() / 2;
        let median = if values.len() % 2 == 1 {
            values[half]
        } else {
            f64::midpoint(values[half - 1], values[half])
        };
        Some(Self { median, low, high })
    }

    /// Of ours over theirs, repetition by repetition: whatever slows the machine down for a while
    /// slows down both of a pair.
    pub fn of_ratios(ours: &[f64], theirs: &[f64]) -> Option<Self> {
        Self::of(ours.iter().zip(theirs).map(|(a, b)| a / b).collect())
    }

    /// In a unit, with its extremes: `1.50 [1.20 1.80]`.
    pub fn shown(&self, unit: f64, digits: usize) -> String {
        let [median, low, high] = [self.median, self.low, self.high].map(|value| value / unit);
        format!("{median:.digits$} [{low:.digits$} {high:.digits$}]")
    }
}

pub fn per_second(events: u64, took: Duration) -> f64 {
    events as f64 / took.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(median: f64, low: f64, high: f64) -> Option<Spread> {
        Some(Spread { median, low, high })
    }

    #[test]
    fn middle_and_extremes() {
        assert_eq!(Spread::of(vec![]), None);
        assert_eq!(Spread::of(vec![3.0, 1.0, 2.0]), spread(2.0, 1.0, 3.0));
        assert_eq!(Spread::of(vec![4.0, 1.0, 3.0, 2.0]), spread(2.5, 1.0, 4.0));
    }

    #[test]
    fn ratios_are_of_the_same_repetition() {
        let ratios = Spread::of_ratios(&[10.0, 2.0], &[5.0, 1.0]);
        assert_eq!(ratios, spread(2.0, 2.0, 2.0));
    }

    #[test]
    fn events_over_seconds() {
        assert_eq!(per_second(10, Duration::from_millis(500)), 20.0);
    }

    fn block(latenesses: &[u64], missed: u32, processor_micros: u64) -> Outcome {
        Outcome {
            latenesses: latenesses.to_vec(),
            missed: Some(missed),
            passed: vec![500_000; missed as usize],
            processor: Some(Duration::from_micros(processor_micros)),
            spun: None,
            elapsed: Duration::from_millis(1),
        }
    }

    #[test]
    fn a_bound_is_exceeded_only_beyond_it() {
        let blocks = [block(&[1_000, 1_001], 0, 10), block(&[0, 60_000], 1, 30)];
        let figures = Figures::of(&blocks).unwrap();
        assert_eq!((figures.waits, figures.missed), (4, Some(1)));
        assert_eq!(figures.late_over_1us_share, 0.5);
        assert_eq!(figures.late_share_low, Some(0.5));
        assert_eq!(figures.late_over_50us_share, 0.25);
        assert_eq!(figures.late_or_missed_share, 0.6);
        assert_eq!(figures.processor_share, Some(0.02));
        assert_eq!(figures.spun_share, None);
    }

    #[test]
    fn a_missed_deadline_is_late_as_well() {
        let blocks = [block(&[0; 97], 3, 10)];
        let figures = Figures::of(&blocks).unwrap();
        assert_eq!(figures.p99_ns, 0);
        assert!(figures.p99_of_deadlines_ns > Some(499_000));
        let untold = Outcome {
            passed: Vec::new(),
            ..block(&[0], 1, 10)
        };
        assert_eq!(Figures::of(&[untold]).unwrap().p99_of_deadlines_ns, None);
    }

    #[test]
    fn quartiles_are_values_that_occurred() {
        assert_eq!(quartiles(vec![]), None);
        assert_eq!(quartiles(vec![3.0]), Some((3.0, 3.0)));
        assert_eq!(quartiles(vec![5.0, 1.0, 4.0, 2.0, 3.0]), Some((2.0, 4.0)));
    }
}
