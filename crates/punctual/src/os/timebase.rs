//! A counter's unit as an exact fraction of nanoseconds: conversions that round towards later
//! wherever they must round, so that no wait ends early.

use crate::Instant;

/// How long a count is: `numerator / denominator` nanoseconds.
///
/// All arithmetic is in 128 bits: a count times a billion leaves 64 within half an hour at 10 MHz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timebase {
    numerator: u128,
    denominator: u128,
}

impl Timebase {
    /// A zero on either side, which no working counter has, is taken for a one.
    pub(super) fn new(numerator: u64, denominator: u64) -> Self {
        Self {
            numerator: u128::from(numerator).max(1),
            denominator: u128::from(denominator).max(1),
        }
    }

    /// The last whole nanosecond that had passed when the counter stood at `count`.
    pub(super) fn instant(self, count: u64) -> Instant {
        let nanos = u128::from(count) * self.numerator / self.denominator;
        Instant::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// The first count at which the clock reads `instant` or later; the last there is if that is
    /// too far away to be counted.
    pub(super) fn first_count_at(self, instant: Instant) -> u64 {
        let counts = u128::from(instant.as_nanos()) * self.denominator;
        u64::try_from(counts.div_ceil(self.numerator)).unwrap_or(u64::MAX)
    }

    /// How many whole counts fit into a duration: for a delay that must not be exceeded.
    #[cfg(any(test, target_os = "macos"))]
    pub(super) fn counts_within(self, duration: std::time::Duration) -> u64 {
        use crate::instant::saturating_nanos;
        let counts = u128::from(saturating_nanos(duration)) * self.denominator / self.numerator;
        u64::try_from(counts).unwrap_or(u64::MAX)
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
