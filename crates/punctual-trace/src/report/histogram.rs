//! How late wake-ups were, in a memory that does not grow with their number.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value is kept to three significant digits, as recordings of `punctual measure` keep it. In binary
/// digits these are eleven: values below 2048 are exact.
const SIGNIFICANT_DIGITS: u8 = 3;
const SIGNIFICANT_BITS: u32 = 11;

/// A distribution of durations in nanoseconds: figures to read, and a histogram to merge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    /// The number of durations.
    pub count: u64,
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseHistogram {
    /// The number of significant digits. A value stands for all values with the same digits, as the
    /// highest of them.
    pub significant_digits: u8,
    /// Pairs of a value in nanoseconds and its count.
    pub counts_by_ns: Vec<(u64, u64)>,
}

/// Counts durations.
#[derive(Debug, Clone, Default)]
pub(super) struct Histogram {
    counts: BTreeMap<u64, u64>,
    count: u64,
    total_ns: u128,
    max_ns: u64,
}

impl Histogram {
    pub(super) fn add(&mut self, ns: u64) {
        *self.counts.entry(rounded(ns)).or_default() += 1;
        self.count += 1;
        self.total_ns += u128::from(ns);
        self.max_ns = self.max_ns.max(ns);
    }

    pub(super) fn distribution(&self) -> Distribution {
        let mean = self.total_ns.checked_div(u128::from(self.count));
        Distribution {
            count: self.count,
            p50_ns: self.at_share(500),
            p90_ns: self.at_share(900),
            p99_ns: self.at_share(990),
            p999_ns: self.at_share(999),
            max_ns: self.max_ns,
            mean_ns: u64::try_from(mean.unwrap_or(0)).unwrap_or(u64::MAX),
            histogram: SparseHistogram {
                significant_digits: SIGNIFICANT_DIGITS,
                counts_by_ns: self
                    .counts
                    .iter()
                    .map(|(&ns, &count)| (ns, count))
                    .collect(),
            },
        }
    }

    /// The shortest value that so many in a thousand do not exceed.
    fn at_share(&self, per_mille: u128) -> u64 {
        let rank = (per_mille * u128::from(self.count)).div_ceil(1_000);
        let mut below = 0;
        let reached = self.counts.iter().find(|&(_, &count)| {
            below += u128::from(count);
            below >= rank
        });
        reached.map_or(0, |(&ns, _)| ns.min(self.max_ns))
    }
}

/// The highest value with the same significant digits.
fn rounded(ns: u64) -> u64 {
    let insignificant = (u64::BITS - ns.leading_zeros()).saturating_sub(SIGNIFICANT_BITS);
    ns | ((1 << insignificant) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_zero() {
        let nothing = Histogram::default().distribution();
        assert_eq!((nothing.count, nothing.max_ns, nothing.mean_ns), (0, 0, 0));
        assert_eq!(nothing.p99_ns, 0);
    }

    #[test]
    fn values_are_rounded_up_to_three_digits() {
        assert_eq!(rounded(0), 0);
        assert_eq!(rounded(2_047), 2_047);
        assert_eq!(rounded(2_048), 2_049);
        assert_eq!(rounded(1 << 40), (1 << 40) + (1 << 30) - 1);
        assert_eq!(rounded(u64::MAX), u64::MAX);
    }

    proptest! {
        #[test]
        fn figures_agree_with_a_sorted_list(
            mut nanos in prop::collection::vec(0_u64..10_000_000_000, 1..300),
        ) {
            let mut histogram = Histogram::default();
            nanos.iter().for_each(|&ns| histogram.add(ns));
            let found = histogram.distribution();
            nanos.sort_unstable();
            let figures = [
                (500, found.p50_ns),
                (900, found.p90_ns),
                (990, found.p99_ns),
                (999, found.p999_ns),
            ];
            for (per_mille, figure) in figures {
                let exact = nanos[(per_mille * nanos.len()).div_ceil(1_000) - 1];
                prop_assert!(figure >= exact && figure - exact <= exact / 1_000, "{figure} {exact}");
            }
            prop_assert_eq!(found.max_ns, *nanos.last().unwrap());
            let mean = nanos.iter().sum::<u64>() / nanos.len() as u64;
            prop_assert_eq!(found.mean_ns, mean);
            let counts = found.histogram.counts_by_ns.iter();
            prop_assert_eq!(counts.map(|&(_, count)| count).sum::<u64>(), found.count);
        }
    }
}
