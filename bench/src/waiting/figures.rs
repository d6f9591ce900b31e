//! What the blocks of one contender say.

use super::grid::Outcome;
use std::time::Duration;

/// Later than this is late: a wait that spun ends within some hundred nanoseconds, one that did not
/// ends after tens of microseconds.
pub const LATE: Duration = Duration::from_micros(1);

/// What became of the deadlines of one contender.
#[derive(Debug, Clone)]
pub struct Figures {
    pub waits: u64,
    /// Deadlines that had passed when their turn came. `None`: the contender does not tell.
    pub missed: Option<u64>,
    /// Of the waits, with the quartiles of the blocks' shares.
    pub late_share: f64,
    pub late_quartiles: (f64, f64),
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
    /// Time spun over elapsed time.
    pub spun_share: f64,
}

impl Figures {
    /// `None`: nothing was waited for.
    pub fn of(blocks: &[Outcome]) -> Option<Self> {
        let mut waits = blocks.iter().flat_map(|block| &block.latenesses);
        let mut waits: Vec<u64> = waits.by_ref().copied().collect();
        waits.sort_unstable();
        let passed: Option<Vec<_>> = blocks.iter().map(|block| block.passed.as_ref()).collect();
        let passed: Option<Vec<u64>> =
            passed.map(|all| all.into_iter().flatten().copied().collect());
        let (late, missed) = (late(&waits), passed.as_ref().map_or(0, Vec::len));
        let p99_of_deadlines_ns = passed.as_ref().map(|passed| {
            let mut deadlines = [&waits[..], passed].concat();
            deadlines.sort_unstable();
            percentile(&deadlines, 99)
        });
        Some(Self {
            waits: waits.len() as u64,
            missed: passed.as_ref().map(|passed| passed.len() as u64),
            late_share: share(late, waits.len()),
            late_quartiles: quartiles(blocks.iter().filter_map(late_share).collect())?,
            late_or_missed_share: share(late + missed, waits.len() + missed),
            p50_ns: percentile(&waits, 50),
            p99_ns: percentile(&waits, 99),
            p99_of_deadlines_ns,
            max_ns: *waits.last()?,
            processor_share: processor_share(blocks),
            spun_share: pooled(blocks, |block| Some(block.spun))?,
        })
    }

    /// Of all deadlines, those that had passed before their turn. `None`: the contender does not tell.
    pub fn missed_share(&self) -> Option<f64> {
        let missed = self.missed?;
        Some(missed as f64 / (self.waits + missed) as f64)
    }
}

fn late(waits: &[u64]) -> usize {
    let late = waits.iter().filter(|&&it| Duration::from_nanos(it) > LATE);
    late.count()
}

fn late_share(block: &Outcome) -> Option<f64> {
    let waits = &block.latenesses;
    (!waits.is_empty()).then(|| share(late(waits), waits.len()))
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The least value that so many of a hundred do not exceed; zero of none.
fn percentile(sorted: &[u64], hundredths: usize) -> u64 {
    let rank = (sorted.len() * hundredths).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

/// Processor time over elapsed time, all blocks together.
pub fn processor_share(blocks: &[Outcome]) -> Option<f64> {
    pooled(blocks, |block| block.processor)
}

fn pooled(blocks: &[Outcome], part: impl Fn(&Outcome) -> Option<Duration>) -> Option<f64> {
    let elapsed: Duration = blocks.iter().map(|block| block.elapsed).sum();
    let part: Duration = blocks.iter().map(part).sum::<Option<_>>()?;
    Some(part.as_secs_f64() / elapsed.as_secs_f64())
}

/// First and third quartile, each the nearest value there is. Sorts.
fn quartiles(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let quarter = (last + 2) / 4;
    Some((values[quarter], values[last - quarter]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(latenesses: &[u64], missed: usize, processor_micros: u64) -> Outcome {
        Outcome {
            latenesses: latenesses.to_vec(),
            passed: Some(vec![500_000; missed]),
            processor: Some(Duration::from_micros(processor_micros)),
            spun: Duration::ZERO,
            elapsed: Duration::from_millis(1),
        }
    }

    #[test]
    fn a_bound_is_exceeded_only_beyond_it() {
        let blocks = [block(&[1_000, 1_001], 0, 10), block(&[0, 60_000], 1, 30)];
        let figures = Figures::of(&blocks).unwrap();
        assert_eq!((figures.waits, figures.missed), (4, Some(1)));
        assert_eq!((figures.p50_ns, figures.max_ns), (1_000, 60_000));
        assert_eq!(figures.late_share, 0.5);
        assert_eq!(figures.late_quartiles, (0.5, 0.5));
        assert_eq!(figures.late_or_missed_share, 0.6);
        assert_eq!(figures.missed_share(), Some(0.2));
        assert_eq!(figures.processor_share, Some(0.02));
    }

    #[test]
    fn a_missed_deadline_is_late_as_well() {
        let figures = Figures::of(&[block(&[0; 97], 3, 10)]).unwrap();
        assert_eq!(
            (figures.p99_ns, figures.p99_of_deadlines_ns),
            (0, Some(500_000))
        );
        let untold = Outcome {
            passed: None,
            ..block(&[0], 0, 10)
        };
        assert_eq!(Figures::of(&[untold]).unwrap().p99_of_deadlines_ns, None);
        assert!(Figures::of(&[]).is_none());
    }

    #[test]
    fn quartiles_are_values_that_occurred() {
        assert_eq!(quartiles(vec![]), None);
        assert_eq!(quartiles(vec![3.0]), Some((3.0, 3.0)));
        assert_eq!(quartiles(vec![5.0, 1.0, 4.0, 2.0, 3.0]), Some((2.0, 4.0)));
    }
}
