//! Statistics of lateness.
//!
//! Two statistics are kept side by side. *Per wake*: how late each wake-up was. *Per deadline*: how
//! late each deadline was served, with those that passed while the thread still waited for an
//! earlier one. A tool with only the first skips the deadlines that it missed, and reports a stall
//! as orders of magnitude too small (coordinated omission).

mod batch;
mod percentiles;
mod summary;

use hdrhistogram::Histogram;
use std::time::Duration;

pub use batch::{Batch, Batches, Stretch};
pub use summary::{SparseHistogram, Summary};

/// Three significant digits separate 1.00 µs from 1.01 µs, which is finer than any clock here
/// repeats.
pub(crate) const SIGNIFICANT_DIGITS: u8 = 3;

/// A distribution of durations.
#[derive(Debug, Clone)]
pub struct Distribution {
    histogram: Histogram<u64>,
    total_ns: u128,
    /// The histogram rounds, but the worst case is kept exactly.
    max_ns: u64,
}

impl Distribution {
    /// An empty distribution.
    pub fn new() -> Self {
        let histogram = Histogram::new(SIGNIFICANT_DIGITS)
            .expect("between zero and five significant digits are permitted");
        Self {
            histogram,
            total_ns: 0,
            max_ns: 0,
        }
    }

    /// Adds a duration.
    pub fn record(&mut self, duration: Duration) {
        self.record_many(duration, 1);
    }

    /// Adds a duration with the number of times that it occurred.
    pub fn record_many(&mut self, duration: Duration, count: u64) {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.histogram
            .record_n(nanos, count)
            .expect("a histogram that may grow takes any value");
        self.total_ns += u128::from(nanos) * u128::from(count);
        self.max_ns = self.max_ns.max(nanos);
    }

    /// Adds all of another distribution.
    pub fn merge(&mut self, other: &Self) {
        self.histogram
            .add(&other.histogram)
            .expect("histograms of the same precision that may grow can be added");
        self.total_ns += other.total_ns;
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// The shortest duration that at least this share of all (from 0 to 1) does not exceed, to
    /// three digits. Zero if there are none.
    pub fn quantile(&self, share: f64) -> Duration {
        /// In binary fractions 0.28 of 25 is a little more than 7, and its rank would be 8.
        const MORE: f64 = 1e-12;
        let nanos = self.histogram.value_at_quantile(share * (1.0 - MORE));
        Duration::from_nanos(nanos.min(self.max_ns))
    }

    /// The longest, exactly.
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.max_ns)
    }

    /// The mean. Zero if there are none.
    pub fn mean(&self) -> Duration {
        let mean = self
            .total_ns
            .checked_div(u128::from(self.count()))
            .unwrap_or(0);
        Duration::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX))
    }

    /// The share that is longer than this; zero if there are none.
    pub fn share_above(&self, bound: Duration) -> f64 {
        let bound = u64::try_from(bound.as_nanos()).unwrap_or(u64::MAX);
        let within = self.histogram.count_between(0, bound);
        let above = self.count().saturating_sub(within);
        above as f64 / self.count().max(1) as f64
    }

    /// The durations that occurred, ascending, each with its count. Each is the longest one with
    /// the same three digits.
    pub fn occurrences(&self) -> impl Iterator<Item = (Duration, u64)> {
        self.histogram.iter_recorded().map(|step| {
            (
                Duration::from_nanos(step.value_iterated_to()),
                step.count_at_value(),
            )
        })
    }
}

impl Default for Distribution {
    fn default() -> Self {
        Self::new()
    }
}

/// The results of one method.
#[derive(Debug, Clone)]
pub struct Series {
    /// The method's name.
    pub method: String,
    /// Wake-ups that came before their deadline.
    pub early: u64,
    /// Deadlines that passed while the thread was waiting for an earlier one.
    pub missed: u64,
    /// Time for which the thread had a processor.
    pub processor: Duration,
    /// How long the series took.
    pub elapsed: Duration,
    /// How late each wake-up was.
    pub per_wake: Distribution,
    /// How late each deadline was served, including missed deadlines.
    pub per_deadline: Distribution,
    /// Lateness of each wake-up, split; `None` if the system does not tell it.
    pub split: Option<Split>,
    /// The same in windows of time.
    pub batches: Batches,
}

/// The results of a turn of several waits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// How late each deadline was served, including missed deadlines.
    pub per_deadline: Vec<Duration>,
    /// Deadlines that passed while the thread was waiting for an earlier one.
    pub missed: u64,
    /// Time for which the thread had a processor.
    pub processor: Duration,
    /// How long the turn took.
    pub elapsed: Duration,
}

/// The lateness of each wake-up, in two parts that add up to it.
#[derive(Debug, Clone, Default)]
pub struct Split {
    /// Until the thread was ready to run: the timer's part.
    pub timer: Distribution,
    /// Ready but not running: the queue's part.
    pub queue: Distribution,
}

impl Series {
    /// An empty series.
    pub fn new(method: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            early: 0,
            missed: 0,
            processor: Duration::ZERO,
            elapsed: Duration::ZERO,
            per_wake: Distribution::new(),
            per_deadline: Distribution::new(),
            split: None,
            batches: Batches::new(),
        }
    }

    /// Adds a wake-up: how late it was and, if known, for how much of that the thread was ready but
    /// not running.
    pub fn record_wake(&mut self, lateness: Duration, queued: Option<Duration>) {
        self.per_wake.record(lateness);
        if let Some(queued) = queued {
            // The queue's account covers a little more than the wait, so it is limited to the
            // lateness.
            let queue = queued.min(lateness);
            let split = self.split.get_or_insert_default();
            split.queue.record(queue);
            split.timer.record(lateness - queue);
        }
    }

    /// Adds the results of a turn of several waits, apart from its wake-ups.
    pub fn record_turn(&mut self, turn: &Turn) {
        for &lateness in &turn.per_deadline {
            self.per_deadline.record(lateness);
        }
        self.missed += turn.missed;
        self.processor += turn.processor;
        self.elapsed += turn.elapsed;
        self.batches.add(Batch::from(turn));
    }

    /// The share of time for which the thread had a processor.
    pub fn processor_share(&self) -> f64 {
        if self.elapsed.is_zero() {
            return 0.0;
        }
        self.processor.as_secs_f64() / self.elapsed.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(nanos: &[u64]) -> Distribution {
        let mut distribution = Distribution::new();
        for &nanos in nanos {
            distribution.record(Duration::from_nanos(nanos));
        }
        distribution
    }

    #[test]
    fn the_longest_duration_there_is_can_be_recorded() {
        let mut distribution = of(&[1]);
        distribution.record(Duration::MAX);
        assert_eq!(distribution.max(), Duration::from_nanos(u64::MAX));
        assert_eq!(distribution.count(), 2);
    }

    #[test]
    fn nothing_is_zero() {
        let nothing = Distribution::new();
        assert_eq!(nothing.count(), 0);
        assert_eq!(
            (nothing.mean(), nothing.max()),
            (Duration::ZERO, Duration::ZERO)
        );
        assert_eq!(nothing.quantile(0.99), Duration::ZERO);
        assert_eq!(nothing.share_above(Duration::ZERO), 0.0);
    }

    #[test]
    fn a_split_adds_up_to_the_lateness() {
        let mut series = Series::new("any");
        let (short, long) = (Duration::from_nanos(30), Duration::from_nanos(100));
        series.record_wake(long, Some(short));
        series.record_wake(short, Some(long));
        let split = series.split.unwrap();
        assert_eq!(split.timer.max(), long - short);
        assert_eq!(split.queue.max(), short);
        assert_eq!(
            split.timer.mean() + split.queue.mean(),
            series.per_wake.mean()
        );
    }

    #[test]
    fn a_wake_without_an_account_of_the_queue_has_no_split() {
        let mut series = Series::new("any");
        series.record_wake(Duration::from_nanos(1), None);
        assert!(series.split.is_none());
    }

    #[test]
    fn the_processor_share_of_no_time_is_none() {
        assert_eq!(Series::new("any").processor_share(), 0.0);
    }

    /// In binary fractions 0.28 of 25 is a little more than 7.
    #[test]
    fn a_share_that_is_a_whole_number_of_them_is_that_number() {
        let distribution = of(&[
            0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        ]);
        assert_eq!(distribution.quantile(0.28), Duration::ZERO);
        assert_eq!(distribution.quantile(0.2801), Duration::from_nanos(2));
    }

    proptest! {
        #[test]
        fn figures_agree_with_a_sorted_list(
            mut nanos in prop::collection::vec(0_u64..10_000_000_000, 1..300),
            per_mille in 0..=1_000_usize,
            bound in 0_u64..2_000,
        ) {
            let distribution = of(&nanos);
            nanos.sort_unstable();
            let rank = (per_mille * nanos.len()).div_ceil(1_000).max(1);
            let exact = nanos[rank - 1] as f64;
            let quantile = distribution.quantile(per_mille as f64 / 1e3).as_nanos() as f64;
            prop_assert!((quantile - exact).abs() <= exact / 1_000.0 + 1.0, "{quantile} {exact}");
            prop_assert_eq!(distribution.max(), Duration::from_nanos(*nanos.last().unwrap()));
            // Below 2,048 ns the histogram does not round.
            let above = nanos.iter().filter(|&&nanos| nanos > bound).count();
            let share_above = distribution.share_above(Duration::from_nanos(bound));
            prop_assert_eq!(share_above, above as f64 / nanos.len() as f64);
        }

        #[test]
        fn merging_is_recording_both(
            left in prop::collection::vec(0_u64..1 << 40, 0..100),
            right in prop::collection::vec(0_u64..1 << 40, 0..100),
        ) {
            let mut merged = of(&left);
            merged.merge(&of(&right));
            let both = of(&[left, right].concat());
            prop_assert!(merged.occurrences().eq(both.occurrences()));
            prop_assert_eq!((merged.mean(), merged.max()), (both.mean(), both.max()));
        }
    }
}
