//! A distribution for JSON: figures to read, and a histogram to merge.

use super::{Distribution, SIGNIFICANT_DIGITS};
use crate::nanos;
use serde::{Deserialize, Serialize};

/// A [`Distribution`] in figures to read, with a sparse histogram to merge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Half are at most this long.
    pub p50_ns: u64,
    /// 90 % are at most this long.
    pub p90_ns: u64,
    /// 99 % are at most this long.
    pub p99_ns: u64,
    /// 99.9 % are at most this long.
    pub p999_ns: u64,
    /// The longest, exactly.
    pub max_ns: u64,
    /// The mean.
    pub mean_ns: u64,
    /// Every value that occurred.
    pub histogram: SparseHistogram,
}

/// Values that occurred, ascending. To merge histograms, add the counts of equal values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseHistogram {
    /// The number of significant digits. A value stands for all values with the same digits, as the
    /// highest of them.
    pub significant_digits: u8,
    /// Pairs of a value in nanoseconds and its count.
    pub counts_by_ns: Vec<(u64, u64)>,
}

impl From<&Distribution> for Summary {
    fn from(distribution: &Distribution) -> Self {
        let quantile_ns = |share| nanos(distribution.quantile(share));
        Self {
            p50_ns: quantile_ns(0.5),
            p90_ns: quantile_ns(0.9),
            p99_ns: quantile_ns(0.99),
            p999_ns: quantile_ns(0.999),
            max_ns: nanos(distribution.max()),
            mean_ns: nanos(distribution.mean()),
            histogram: SparseHistogram {
                significant_digits: SIGNIFICANT_DIGITS,
                counts_by_ns: distribution
                    .occurrences()
                    .map(|(value, count)| (nanos(value), count))
                    .collect(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_sparse_histogram_rebuilds_the_distribution_it_came_from() {
        let mut distribution = Distribution::new();
        for nanos in [0, 1, 45, 45, 73_512, 1_000_000_007] {
            distribution.record(Duration::from_nanos(nanos));
        }
        let summary = Summary::from(&distribution);
        let mut rebuilt = Distribution::new();
        for &(nanos, count) in &summary.histogram.counts_by_ns {
            rebuilt.record_many(Duration::from_nanos(nanos), count);
        }
        let again = Summary::from(&rebuilt);
        assert_eq!(again.histogram, summary.histogram);
        assert_eq!((again.p50_ns, again.p99_ns), (summary.p50_ns, again.max_ns));
        assert_eq!(summary.max_ns, 1_000_000_007, "the longest is exact");
    }
}
