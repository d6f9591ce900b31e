//! Times as people read them, and percentiles of buckets.

use crate::buckets::{BOUNDED, BOUNDS_NS};
use crate::histogram::Counts;
use punctual_data::quantity::nanos;

/// Where a share of all wake-ups is no later than: the upper bound of its bucket. `None` if nothing was counted.
/// [`u64::MAX`] in the bucket without a bound.
///
/// The share is in thousandths: 500 is the median.
pub fn percentile(counts: &Counts, thousandths: u64) -> Option<u64> {
    let total = counts.total();
    if total == 0 {
        return None;
    }
    let rank = u128::from(total) * u128::from(thousandths);
    let rank = u64::try_from(rank.div_ceil(1000)).unwrap_or(total).max(1);
    let mut so_far = 0;
    let bucket = counts.counts.iter().position(|count| {
        so_far += count;
        so_far >= rank
    })?;
    Some(upper(bucket))
}

/// The upper bound of a bucket.
pub fn upper(bucket: usize) -> u64 {
    match bucket {
        BOUNDED => u64::MAX,
        _ => BOUNDS_NS[bucket],
    }
}

/// A time, or that it is beyond the last bound.
pub fn time(ns: u64) -> String {
    match ns {
        u64::MAX => format!("over {}", nanos(BOUNDS_NS[BOUNDED - 1])),
        _ => nanos(ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_bounds_of_buckets() {
        let mut counts = Counts {
            counts: [0; BOUNDED + 1],
            sum_ns: 0,
        };
        assert_eq!(percentile(&counts, 500), None);
        counts.counts[0] = 499;
        counts.counts[3] = 500;
        counts.counts[BOUNDED] = 1;
        assert_eq!(percentile(&counts, 499), Some(1_000));
        assert_eq!(percentile(&counts, 500), Some(8_000));
        assert_eq!(percentile(&counts, 999), Some(8_000));
        assert_eq!(percentile(&counts, 1000), Some(u64::MAX));
        assert_eq!(time(u64::MAX), "over 16.8 s");
    }
}
