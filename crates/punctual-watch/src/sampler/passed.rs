//! Deadlines that passed while a thread did not wake, counted without a loop over them: a thread that stood still
//! for a night has millions.

use crate::buckets::{BOUNDED, BOUNDS_NS};
use crate::histogram::Histogram;
use punctual::Period;

/// Counts the deadlines 1 to `how_many` after one that was met late by `lateness_ns`. Each is less late than the
/// one before it by a period.
pub(super) fn count(histogram: &Histogram, lateness_ns: u64, period: Period, how_many: u64) {
    let (numerator, denominator) = period.to_nanos_fraction();
    let (numerator, denominator) = (u128::from(numerator), u128::from(denominator));
    // The first deadline whose lateness is within the bound: the periods before it add up to the rest.
    let first_within = |bound_ns: u64| {
        let before = u128::from(lateness_ns.saturating_sub(bound_ns));
        (before * denominator).div_ceil(numerator).max(1)
    };
    // From the last deadline, which is the least late, to the first.
    let mut counted_from = u128::from(how_many) + 1;
    for bucket in 0..=BOUNDED {
        let from = BOUNDS_NS
            .get(bucket)
            .map_or(1, |&bound| first_within(bound));
        if from < counted_from {
            let (last, count) = (counted_from - 1, counted_from - from);
            // All of them late by the same, less the periods before each.
            let periods = (from + last) * count / 2;
            let sum = u128::from(lateness_ns) * count;
            let sum = sum.saturating_sub(periods.saturating_mul(numerator) / denominator);
            histogram.add(bucket, u64::try_from(count).unwrap_or(u64::MAX), sum);
            counted_from = from;
        }
        if counted_from == 1 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_counts_what_a_loop_over_the_deadlines_counts(
            lateness_ns in 0_u64..20_000_000_000,
            hertz in 10_000_u64..1_000_000,
            share in 0.0_f64..1.0,
        ) {
            let period = Period::from_hertz_fraction(hertz, 1_000);
            let (numerator, denominator) = period.to_nanos_fraction();
            let most = lateness_ns * denominator / numerator;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "thousands")]
            let how_many = (most as f64 * share) as u64;
            let (closed, looped) = (Histogram::default(), Histogram::default());
            count(&closed, lateness_ns, period, how_many);
            for index in 1..=how_many {
                looped.count(lateness_ns - index * numerator / denominator);
            }
            let (closed, looped) = (closed.read(), looped.read());
            prop_assert_eq!(closed.counts, looped.counts);
            prop_assert!(closed.sum_ns.abs_diff(looped.sum_ns) <= u128::from(how_many) + 50);
        }
    }

    #[test]
    fn a_night_takes_no_time() {
        let night_ns = 12 * 3_600 * 1_000_000_000;
        let histogram = Histogram::default();
        let how_many = 12 * 3_600 * 1_000;
        count(&histogram, night_ns, Period::from_hertz(1_000), how_many);
        let read = histogram.read();
        assert_eq!(read.total(), how_many);
        assert_eq!(read.counts[0], 1, "the last deadline had just come");
        let mean = read.sum_ns / u128::from(how_many);
        assert!(mean.abs_diff(u128::from(night_ns) / 2) <= 1_000_000);
    }
}
