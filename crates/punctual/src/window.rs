//! The window of time in which a timer may fire.

use crate::Instant;
use core::ops::RangeInclusive;
use core::time::Duration;

/// The window of time in which a timer may fire: from its earliest to its latest instant.
///
/// A window with equal ends is an exact deadline, and so is an [`Instant`] alone. The wider the
/// windows, the fewer wake-ups serve them all.
///
/// ```
/// use punctual::{Instant, Window};
/// use std::time::Duration;
///
/// let deadline = Instant::from_nanos(1_000);
/// assert_eq!(Window::tolerating(deadline, Duration::ZERO), Window::from(deadline));
///
/// let shared = Window::tolerating(deadline, Duration::from_nanos(500));
/// assert_eq!(shared, Window::from(deadline..=Instant::from_nanos(1_500)));
/// assert!(shared.has_begun(deadline) && !shared.has_begun(Instant::from_nanos(999)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window {
    pub(super) earliest: Instant,
    pub(super) latest: Instant,
}

impl Window {
    /// From the deadline until `tolerance` after it, or until the end of time if that is sooner.
    pub fn tolerating(deadline: Instant, tolerance: Duration) -> Self {
        Self {
            earliest: deadline,
            latest: deadline + tolerance,
        }
    }

    /// The beginning of the window. The timer does not fire before it.
    #[inline]
    pub const fn earliest(self) -> Instant {
        self.earliest
    }

    /// The end of the window. After it, the timer is late.
    #[inline]
    pub const fn latest(self) -> Instant {
        self.latest
    }

    /// Whether the window has begun at this instant, so that the timer may fire. This stays true after
    /// its end: a late timer fires too.
    #[inline]
    pub fn has_begun(self, now: Instant) -> bool {
        self.earliest <= now
    }
}

impl From<Instant> for Window {
    /// An exact deadline.
    #[inline]
    fn from(deadline: Instant) -> Self {
        Self {
            earliest: deadline,
            latest: deadline,
        }
    }
}

impl From<RangeInclusive<Instant>> for Window {
    /// From the range's start to its end. A range that ends before it starts becomes an exact deadline
    /// at its start, so that it never fires early.
    #[inline]
    fn from(range: RangeInclusive<Instant>) -> Self {
        let (earliest, end) = range.into_inner();
        Self {
            earliest,
            latest: end.max(earliest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_ends_before_it_starts_is_exact_at_its_start() {
        let (early, late) = (Instant::from_nanos(1), Instant::from_nanos(2));
        #[allow(clippy::reversed_empty_ranges, reason = "the case")]
        let reversed = Window::from(late..=early);
        assert_eq!(reversed, Window::from(late));
    }

    #[test]
    fn tolerance_ends_with_time() {
        let window = Window::tolerating(Instant::from_nanos(9), Duration::MAX);
        assert_eq!(window.latest(), Instant::MAX);
    }
}
