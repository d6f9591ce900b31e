//! A counter's unit as an exact fraction of nanoseconds: conversions that round towards later
//! wherever they must round, so that no wait ends early.

use crate::Instant;

/// How long a count is: `numerator / denominator` nanoseconds, in lowest terms.
///
/// Products are in 128 bits where 64 do not hold them; they do for centuries at 10 MHz, a tenth of a
/// microsecond being a whole number of nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timebase {
    numerator: u64,
    denominator: u64,
}

impl Timebase {
    /// A zero on either side, which no working counter has, is taken for a one.
    pub(super) fn new(numerator: u64, denominator: u64) -> Self {
        let (numerator, denominator) = (numerator.max(1), denominator.max(1));
        let common = greatest_common_divisor(numerator, denominator);
        Self {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    /// The last whole nanosecond that had passed when the counter stood at `count`.
    #[inline]
    pub(super) fn instant(self, count: u64) -> Instant {
        Instant::from_nanos(scaled_down(count, self.numerator, self.denominator))
    }

    /// The first count at which the clock reads `instant` or later; the last there is if that is
    /// too far away to be counted.
    #[inline]
    pub(super) fn first_count_at(self, instant: Instant) -> u64 {
        scaled_up(instant.as_nanos(), self.denominator, self.numerator)
    }

    /// How many whole counts fit into a duration: for a delay that must not be exceeded.
    #[cfg(any(test, target_os = "macos"))]
    pub(super) fn counts_within(self, duration: std::time::Duration) -> u64 {
        use crate::instant::saturating_nanos;
        scaled_down(saturating_nanos(duration), self.denominator, self.numerator)
    }
}

/// `value · factor / divisor`, rounded down. Most divisors are one, and a division in 128 bits takes
/// several times as long as in 64.
#[inline]
fn scaled_down(value: u64, factor: u64, divisor: u64) -> u64 {
    match value.checked_mul(factor) {
        Some(product) if divisor == 1 => product,
        Some(product) => product / divisor,
        None => {
            let product = u128::from(value) * u128::from(factor);
            u64::try_from(product / u128::from(divisor)).unwrap_or(u64::MAX)
        }
    }
}

/// The same, rounded up.
#[inline]
fn scaled_up(value: u64, factor: u64, divisor: u64) -> u64 {
    match value.checked_mul(factor) {
        Some(product) => product.div_ceil(divisor),
        None => {
            let product = u128::from(value) * u128::from(factor);
            u64::try_from(product.div_ceil(u128::from(divisor))).unwrap_or(u64::MAX)
        }
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => greatest_common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    /// Apple silicon, Intel Macs, and the odd one of PowerPC Macs.
    const MACS: [(u64, u64); 3] = [(125, 3), (1, 1), (1_000_000_000, 33_333_335)];

    #[test]
    fn apple_silicon_counts_24_million_times_a_second() {
        let (numerator, denominator) = MACS[0];
        let timebase = Timebase::new(numerator, denominator);
        let century = 3_155_760_000_u64;
        assert_eq!(
            timebase.instant(century * 24_000_000).as_nanos(),
            century * 1_000_000_000
        );
        assert_eq!(timebase.instant(1).as_nanos(), 41);
        assert_eq!(timebase.first_count_at(Instant::from_nanos(41)), 1);
        assert_eq!(timebase.first_count_at(Instant::from_nanos(42)), 2);
        assert_eq!(timebase.counts_within(Duration::from_millis(1)), 24_000);
    }

    #[test]
    fn what_cannot_be_expressed_is_the_end_of_time() {
        assert_eq!(Timebase::new(2, 1).instant(u64::MAX), Instant::MAX);
        assert_eq!(Timebase::new(1, 2).first_count_at(Instant::MAX), u64::MAX);
        assert_eq!(Timebase::new(1, 2).counts_within(Duration::MAX), u64::MAX);
        assert_eq!(Timebase::new(0, 0), Timebase::new(1, 1));
    }

    proptest! {
        #[test]
        fn the_first_count_at_an_instant_is_the_first(mac in 0..3_usize, nanos in 0_u64..1 << 62) {
            let (numerator, denominator) = MACS[mac];
            let (timebase, instant) = (Timebase::new(numerator, denominator), Instant::from_nanos(nanos));
            let count = timebase.first_count_at(instant);
            prop_assert!(timebase.instant(count) >= instant);
            if count > 0 {
                prop_assert!(timebase.instant(count - 1) < instant);
            }
        }

        #[test]
        fn counts_within_a_duration_do_not_exceed_it(mac in 0..3_usize, nanos in 0_u64..1 << 62) {
            let (numerator, denominator) = MACS[mac];
            let timebase = Timebase::new(numerator, denominator);
            let counts = timebase.counts_within(Duration::from_nanos(nanos));
            prop_assert!(timebase.instant(counts).as_nanos() <= nanos);
        }
    }
}
