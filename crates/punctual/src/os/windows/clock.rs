//! The performance counter as our clock, and our durations as Windows' due times: exact arithmetic,
//! rounded towards later wherever it must be rounded.

use crate::Instant;
use crate::instant::saturating_nanos;
use crate::os::native::timebase::Timebase;
use std::time::Duration;

const NANOS_PER_SECOND: u64 = 1_000_000_000;
/// Due times are in units of 100 ns.
const NANOS_PER_UNIT: u64 = 100;
const NANOS_PER_MILLISECOND: u64 = 1_000_000;

/// The performance counter's unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(Timebase);

impl Clock {
    /// For a counter of this frequency. A system that answered zero would have no counter at all,
    /// which no version that we know does; one count a second stands in for it.
    pub(super) fn new(frequency: i64) -> Self {
        Self(Timebase::new(NANOS_PER_SECOND, frequency.unsigned_abs()))
    }

    /// The last whole nanosecond that had passed when the counter stood at `count`.
    #[inline]
    pub(super) fn instant(self, count: i64) -> Instant {
        self.0.instant(count.max(0).unsigned_abs())
    }

    /// The first count at which the clock reads `instant` or later; the last there is if that is
    /// too far away to be counted.
    pub(super) fn first_count_at(self, instant: Instant) -> i64 {
        i64::try_from(self.0.first_count_at(instant)).unwrap_or(i64::MAX)
    }
}

/// A duration as a due time from now on: units of 100 ns, negative, rounded up.
///
/// Rounding down would end a wait up to 99 ns early, and the wait that makes up for those would
/// last a whole tick.
pub(super) fn due_time(duration: Duration) -> i64 {
    let units = saturating_nanos(duration).div_ceil(NANOS_PER_UNIT);
    // A hundredth of 64 bits fits into 63.
    -i64::try_from(units).unwrap_or(i64::MAX)
}

/// A duration in milliseconds, rounded up; at most the longest that is not `INFINITE`.
pub(super) fn milliseconds_at_least(duration: Duration) -> u32 {
    let milliseconds = saturating_nanos(duration).div_ceil(NANOS_PER_MILLISECOND);
    u32::try_from(milliseconds).map_or(u32::MAX - 1, |fits| fits.min(u32::MAX - 1))
}

/// A duration in milliseconds, rounded down: for a delay that must not be exceeded.
pub(super) fn milliseconds_at_most(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

/// So many units of 100 ns.
pub(super) fn from_units(units: u32) -> Duration {
    Duration::from_nanos(u64::from(units) * NANOS_PER_UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn common_frequencies_come_out_exactly() {
        // The frequency of Windows 10 on most machines, of XP with the ACPI timer, and of a TSC.
        for frequency in [10_000_000, 3_579_545, 2_992_968_750] {
            // Ninety years, after which the last would not fit into its count.
            let seconds = 2_840_184_000_i64;
            let instant = Clock::new(frequency).instant(frequency * seconds);
            let nanos = seconds.unsigned_abs() * 1_000_000_000;
            assert_eq!(instant.as_nanos(), nanos, "{frequency}");
        }
    }

    #[test]
    fn what_cannot_be_expressed_is_the_end_of_time() {
        assert_eq!(Clock::new(1).instant(i64::MAX), Instant::MAX);
        assert_eq!(Clock::new(i64::MAX).first_count_at(Instant::MAX), i64::MAX);
        assert_eq!(Clock::new(1).instant(-1), Instant::ZERO);
        assert_eq!(milliseconds_at_least(Duration::MAX), u32::MAX - 1);
        assert_eq!(milliseconds_at_most(Duration::MAX), u32::MAX);
    }

    proptest! {
        #[test]
        fn the_first_count_at_an_instant_is_the_first(
            frequency in 1_i64..10_000_000_000,
            nanos in 0_u64..1 << 58,
        ) {
            let (clock, instant) = (Clock::new(frequency), Instant::from_nanos(nanos));
            let count = clock.first_count_at(instant);
            prop_assume!(count < i64::MAX);
            prop_assert!(clock.instant(count) >= instant);
            if count > 0 {
                prop_assert!(clock.instant(count - 1) < instant);
            }
        }

        #[test]
        fn due_times_are_never_too_short_and_at_most_one_unit_too_long(nanos: u64) {
            let units = due_time(Duration::from_nanos(nanos)).unsigned_abs();
            let asked = u128::from(units) * 100;
            prop_assert!(asked >= u128::from(nanos));
            prop_assert!(asked - u128::from(nanos) < 100);
            prop_assert!(due_time(Duration::from_nanos(nanos)) <= 0);
        }

        #[test]
        fn milliseconds_enclose_what_was_meant(nanos in 0_u64..4_000_000_000_000_000) {
            let duration = Duration::from_nanos(nanos);
            let (most, least) = (milliseconds_at_most(duration), milliseconds_at_least(duration));
            prop_assert!(Duration::from_millis(u64::from(most)) <= duration);
            prop_assert!(Duration::from_millis(u64::from(least)) >= duration);
            prop_assert!(least - most <= 1);
        }
    }
}
