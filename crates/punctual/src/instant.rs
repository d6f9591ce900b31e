//! A point in time: integer nanoseconds on a monotonic clock.

use core::fmt;
use core::ops::{Add, AddAssign, Sub, SubAssign};
use core::time::Duration;

/// A point on a machine's monotonic clock, in whole nanoseconds since that clock's zero.
///
/// The standard library's instant cannot be made from a number or read as one. So it cannot run in
/// virtual time, or be compared with a kernel's time stamps; this type can. On Linux the clock is
/// `CLOCK_MONOTONIC`: it starts near boot, NTP slews it, and it stands still while the machine is
/// suspended.
///
/// Sixty-four bits of nanoseconds last 584 years. Arithmetic saturates at both ends: a deadline that
/// is too far away becomes [`Instant::MAX`].
///
/// Do not mix instants of two machines, such as two simulations, or a simulation and this computer.
///
/// ```
/// use punctual::Instant;
/// use std::time::Duration;
///
/// let start = Instant::from_nanos(1_000);
/// let later = start + Duration::from_micros(1);
/// assert_eq!(later.as_nanos(), 2_000);
/// assert_eq!(later - start, Duration::from_micros(1));
/// assert_eq!(start - later, Duration::ZERO);
/// assert_eq!(start + Duration::MAX, Instant::MAX);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(u64);

impl Instant {
    /// The zero of the clock.
    pub const ZERO: Self = Self(0);
    /// The last instant that can be expressed.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant this many nanoseconds after the clock's zero.
    #[inline(always)]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the clock's zero.
    #[inline(always)]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The time from `earlier` to this instant; zero if `earlier` is later. The same as
    /// `self - earlier`.
    pub const fn duration_since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// The time from `earlier` to this instant, or `None` if `earlier` is later.
    pub const fn checked_duration_since(self, earlier: Self) -> Option<Duration> {
        match self.0.checked_sub(earlier.0) {
            Some(nanos) => Some(Duration::from_nanos(nanos)),
            None => None,
        }
    }

    /// This instant moved later, or `None` if that is past [`Instant::MAX`].
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        let nanos = u64::try_from(duration.as_nanos()).ok()?;
        self.0.checked_add(nanos).map(Self)
    }

    /// This instant moved earlier, or `None` if that is before [`Instant::ZERO`].
    pub fn checked_sub(self, duration: Duration) -> Option<Self> {
        let nanos = u64::try_from(duration.as_nanos()).ok()?;
        self.0.checked_sub(nanos).map(Self)
    }
}

/// A duration in nanoseconds; `u64::MAX` if it does not fit sixty-four bits.
pub(crate) fn saturating_nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl Add<Duration> for Instant {
    type Output = Self;

    /// Saturates at [`Instant::MAX`].
    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(saturating_nanos(duration)))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;

    /// Saturates at [`Instant::ZERO`].
    fn sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(saturating_nanos(duration)))
    }
}

impl Sub for Instant {
    type Output = Duration;

    /// Same as [`duration_since`](Self::duration_since): zero if the other is later.
    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}

impl SubAssign<Duration> for Instant {
    fn sub_assign(&mut self, duration: Duration) {
        *self = *self - duration;
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NANOS_PER_SECOND: u64 = 1_000_000_000;
        let (seconds, nanos) = (self.0 / NANOS_PER_SECOND, self.0 % NANOS_PER_SECOND);
        write!(f, "{seconds}.{nanos:09}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shows_seconds_and_every_nanosecond() {
        let instant = Instant::from_nanos(12_000_000_034);
        assert_eq!(format!("{instant:?}"), "12.000000034s");
    }

    #[test]
    fn assignment_saturates_too() {
        let mut instant = Instant::MAX;
        instant += Duration::from_nanos(1);
        assert_eq!(instant, Instant::MAX);
        instant -= Duration::MAX;
        assert_eq!(instant, Instant::ZERO);
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_wide_integers(a: u64, seconds: u64, nanos in 0u32..1_000_000_000) {
            let duration = Duration::new(seconds, nanos);
            let exact = u128::from(a) + duration.as_nanos();
            let clamped = exact.min(u128::from(u64::MAX));
            let instant = Instant::from_nanos(a);
            prop_assert_eq!(u128::from((instant + duration).as_nanos()), clamped);
            prop_assert_eq!(instant.checked_add(duration).is_some(), exact == clamped);
            let less = u128::from(a).saturating_sub(duration.as_nanos());
            prop_assert_eq!(u128::from((instant - duration).as_nanos()), less);
            let fits = duration.as_nanos() <= u128::from(a);
            prop_assert_eq!(instant.checked_sub(duration), fits.then(|| instant - duration));
        }

        #[test]
        fn since_is_the_distance_or_nothing(a: u64, b: u64) {
            let (later, earlier) = (Instant::from_nanos(a), Instant::from_nanos(b));
            let between = Duration::from_nanos(a.saturating_sub(b));
            prop_assert_eq!(later.duration_since(earlier), between);
            prop_assert_eq!(later - earlier, between);
            prop_assert_eq!(later.checked_duration_since(earlier), (a >= b).then_some(between));
        }
    }
}
