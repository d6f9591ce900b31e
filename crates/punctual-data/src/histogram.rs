//! Counts durations.

use crate::quantity::whole_nanos;
use std::time::Duration;

/// Three significant digits separate 1.00 µs from 1.01 µs, which is finer than any clock here
/// repeats.
pub const SIGNIFICANT_DIGITS: u8 = 3;

/// Counts durations as they come, in a memory that does not grow with their number.
#[derive(Debug, Clone)]
pub struct Histogram {
    counts: hdrhistogram::Histogram<u64>,
    total_ns: u128,
    /// The histogram rounds, but the worst case is kept exactly.
    max_ns: u64,
}

impl Histogram {
    /// No durations yet.
    pub fn new() -> Self {
        Self {
            counts: hdrhistogram::Histogram::new(SIGNIFICANT_DIGITS)
                .expect("between zero and five significant digits are permitted"),
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
        let nanos = whole_nanos(duration);
        self.counts
            .record_n(nanos, count)
            .expect("a histogram that may grow takes any value");
        self.total_ns += u128::from(nanos) * u128::from(count);
        self.max_ns = self.max_ns.max(nanos);
    }

    /// Adds all of another histogram.
    pub fn merge(&mut self, other: &Self) {
        self.counts
            .add(&other.counts)
            .expect("histograms of the same precision that may grow can be added");
        self.total_ns += other.total_ns;
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.counts.len()
    }

    /// The shortest duration that at least this share of all (from 0 to 1) does not exceed, to
    /// three digits. Zero if there are none.
    pub fn quantile(&self, share: f64) -> Duration {
        /// In binary fractions 0.28 of 25 is a little more than 7, and its rank would be 8.
        const MORE: f64 = 1e-12;
        let nanos = self.counts.value_at_quantile(share * (1.0 - MORE));
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
        let bound = whole_nanos(bound);
        let within = self.counts.count_between(0, bound);
        let above = self.count().saturating_sub(within);
        above as f64 / self.count().max(1) as f64
    }

    /// The durations that occurred, ascending, each with its count. Each is the longest one with
    /// the same three digits.
    pub fn occurrences(&self) -> impl Iterator<Item = (Duration, u64)> {
        self.counts.iter_recorded().map(|step| {
            (
                Duration::from_nanos(step.value_iterated_to()),
                step.count_at_value(),
            )
        })
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(nanos: &[u64]) -> Histogram {
        let mut distribution = Histogram::new();
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
        let nothing = Histogram::new();
        assert_eq!(nothing.count(), 0);
        assert_eq!(
            (nothing.mean(), nothing.max()),
            (Duration::ZERO, Duration::ZERO)
        );
        assert_eq!(nothing.quantile(0.99), Duration::ZERO);
        assert_eq!(nothing.share_above(Duration::ZERO), 0.0);
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
