//! Lateness counted into fixed buckets, without a lock or memory.
//!
//! The bounds of the buckets are the same for every watch, so that histograms of many machines can be added.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// Counts of lateness, by bucket. One thread writes; any thread reads meanwhile.
#[derive(Debug)]
pub struct Histogram {
    counts: [AtomicU64; BOUNDED + 1],
    /// The sum in two words: a night in which a thread stood still leaves millions of deadlines, whose lateness
    /// adds up to more nanoseconds than one word holds.
    sum_seconds: AtomicU64,
    sum_rest_ns: AtomicU64,
}

/// A histogram as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// How many in each bucket alone, the one without a bound last.
    pub counts: [u64; BOUNDED + 1],
    /// The sum of all, in nanoseconds.
    pub sum_ns: u128,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; BOUNDED + 1],
            sum_seconds: AtomicU64::new(0),
            sum_rest_ns: AtomicU64::new(0),
        }
    }
}

impl Histogram {
    /// Counts one.
    pub fn count(&self, lateness_ns: u64) {
        self.add(bucket(lateness_ns), 1, lateness_ns.into());
    }

    /// Counts several of one bucket, with the sum of them in nanoseconds.
    pub fn add(&self, bucket: usize, how_many: u64, sum_ns: u128) {
        self.counts[bucket].fetch_add(how_many, Relaxed);
        let rest = u128::from(self.sum_rest_ns.load(Relaxed)) + sum_ns;
        let seconds = u64::try_from(rest / NANOS_PER_SECOND).unwrap_or(u64::MAX);
        let rest = u64::try_from(rest % NANOS_PER_SECOND).unwrap_or_default();
        // The seconds first: who reads in between and again finds that they have changed.
        if seconds > 0 {
            self.sum_seconds.fetch_add(seconds, Release);
        }
        self.sum_rest_ns.store(rest, Release);
    }

    /// What has been counted so far. A count that is written meanwhile may be in it or not.
    pub fn read(&self) -> Counts {
        Counts {
            counts: std::array::from_fn(|bucket| self.counts[bucket].load(Relaxed)),
            sum_ns: self.sum_ns(),
        }
    }

    fn sum_ns(&self) -> u128 {
        loop {
            let seconds = self.sum_seconds.load(Acquire);
            let rest = self.sum_rest_ns.load(Acquire);
            if self.sum_seconds.load(Acquire) == seconds {
                return u128::from(seconds) * NANOS_PER_SECOND + u128::from(rest);
            }
        }
    }
}

impl Counts {
    /// How many in all buckets.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// How many buckets have an upper bound. One more has none.
pub const BOUNDED: usize = 46;

/// The upper bounds in nanoseconds, rising: one a doubling from 1 µs to 8 µs, four a doubling to 1.024 ms
/// (rounded down), and one a doubling from there to 16.8 s.
pub const BOUNDS_NS: [u64; BOUNDED] = bounds();

const fn bounds() -> [u64; BOUNDED] {
    // 2^(1/4), 2^(2/4), 2^(3/4) in parts of 2^30.
    const QUARTERS: [u64; 4] = [1_073_741_824, 1_276_901_416, 1_518_500_249, 1_805_811_301];
    let mut bounds = [0; BOUNDED];
    let (mut next, mut base) = (0, 1_000);
    while next < BOUNDED {
        let fine = base >= 8_000 && base < 1_024_000;
        let mut quarter = 0;
        while quarter < if fine { 4 } else { 1 } {
            bounds[next] = (base * QUARTERS[quarter]) >> 30;
            next += 1;
            quarter += 1;
        }
        base *= 2;
    }
    bounds
}

/// The bucket of a lateness: the first whose bound is not below it, or [`BOUNDED`].
pub fn bucket(lateness_ns: u64) -> usize {
    BOUNDS_NS.partition_point(|&bound| bound < lateness_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_their_sum() {
        let histogram = Histogram::default();
        histogram.count(900);
        histogram.count(2_500_000_000);
        histogram.add(BOUNDED, 7_000_000, u128::from(u64::MAX) * 3);
        let read = histogram.read();
        assert_eq!(read.total(), 7_000_002);
        assert_eq!(read.counts[0], 1);
        assert_eq!(read.sum_ns, u128::from(u64::MAX) * 3 + 2_500_000_900);
    }

    #[test]
    fn four_buckets_a_doubling_where_most_wake_ups_are_and_one_elsewhere() {
        assert_eq!(BOUNDS_NS[..5], [1_000, 2_000, 4_000, 8_000, 9_513]);
        assert!(BOUNDS_NS.contains(&1_024_000) && BOUNDS_NS.contains(&2_048_000));
        let fine = BOUNDS_NS
            .iter()
            .filter(|&&ns| (8_000..1_024_000).contains(&ns));
        assert_eq!(fine.count(), 28);
        assert!(BOUNDS_NS.is_sorted_by(|one, next| one < next));
        assert_eq!(BOUNDS_NS[BOUNDED - 1], 16_777_216_000);
    }

    #[test]
    fn a_lateness_is_counted_below_the_first_bound_that_it_does_not_exceed() {
        assert_eq!(bucket(0), 0);
        assert_eq!(bucket(1_000), 0);
        assert_eq!(bucket(1_001), 1);
        assert_eq!(bucket(u64::MAX), BOUNDED);
    }
}
