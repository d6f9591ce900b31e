//! What a driver has done so far.

use super::Firing;
use crate::Instant;
use std::time::Duration;

/// A timer that fires up to this long after its window is not counted as late: a wait that spun
/// ends within some hundred nanoseconds, one that did not after tens of microseconds.
pub const LATE: Duration = Duration::from_micros(1);

/// What a driver has done since it was made, or since its counters were
/// [reset](super::Handle::reset_counters): [`Handle::counters`](super::Handle::counters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counters {
    /// Callbacks called, and futures woken because their time had come.
    pub fired: u64,
    /// Of those, how many more than [`LATE`] after the end of their windows. What was to come as
    /// [soon](super::Handle::soon) as possible is never late.
    pub late: u64,
    /// The longest that any came after the end of its window.
    pub worst_excess: Duration,
    /// Periods of repeating callbacks that passed without a tick of their own.
    pub missed: u64,
    /// Calls of repeating callbacks that were still under way at their next deadline.
    pub overruns: u64,
    /// Callbacks, wakers and destructors of callbacks that panicked.
    pub panics: u64,
    /// How often the system put the driver's thread to sleep and woke it, for whatever reason.
    pub wakeups: u64,
    /// Of those, how often because a timer was inserted that came before all others, a future was
    /// woken that the driver itself runs, or it was shut down.
    pub rings: u64,
}

/// What is counted under the lock of a queue, to be added to the counters once for all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    fired: u64,
    late: u64,
    worst_excess: Duration,
    pub(super) missed: u64,
    /// Where the last of the windows began.
    pub(super) earliest: Instant,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            fired: 0,
            late: 0,
            worst_excess: Duration::ZERO,
            missed: 0,
            earliest: Instant::ZERO,
        }
    }

    pub(super) fn fired(&mut self, firing: Firing) {
        self.fired_soon(firing);
        let excess = firing.excess();
        self.late += u64::from(excess > LATE);
        self.worst_excess = self.worst_excess.max(excess);
    }

    /// One that has no deadline to miss.
    pub(super) fn fired_soon(&mut self, firing: Firing) {
        self.fired += 1;
        self.earliest = self.earliest.max(firing.deadline());
    }
}

impl Counters {
    pub(super) fn add(&mut self, tally: Tally) {
        self.fired += tally.fired;
        self.late += tally.late;
        self.worst_excess = self.worst_excess.max(tally.worst_excess);
        self.missed += tally.missed;
    }
}
