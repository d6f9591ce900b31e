//! The bounds of the buckets into which lateness is counted: the same for every watch, so that histograms of
//! many machines can be added.

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
