//! Lateness counted into fixed buckets, without a lock or memory.

use crate::buckets::{BOUNDED, bucket};
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
}
