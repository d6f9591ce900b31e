//! Counters of a driver's work.

use super::Firing;
use crate::Instant;
use std::time::Duration;

/// A timer that fires up to this long after its window is not counted as late: a wait that spun
/// ends within some hundred nanoseconds, one that did not after tens of microseconds.
pub const LATE: Duration = Duration::from_micros(1);

/// Counters of a driver's work since it was made, or since they were
/// [reset](super::Handle::reset_counters). Returned by
/// [`Handle::counters`](super::Handle::counters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counters {
    /// The number of callbacks called and futures woken because they were due.
    pub fired: u64,
    /// The number of those that came more than [`LATE`] after the end of their windows. Callbacks of
    /// [`soon`](super::Handle::soon) are never late.
    pub late: u64,
    /// The longest time from the end of a window until its timer fired.
    pub worst_excess: Duration,
    /// The number of periods of repeating callbacks that passed without a tick.
    pub missed: u64,
    /// The number of calls of repeating callbacks that were still running at their next deadline.
    pub overruns: u64,
    /// The number of callbacks, wakers and destructors of callbacks that panicked.
    pub panics: u64,
    /// How many times the system put the driver's thread to sleep and woke it.
    pub wakeups: u64,
    /// The number of those wake-ups that came because an earlier timer was inserted, because the
    /// driver's own future was woken, or because of a shutdown.
    pub rings: u64,
}

/// What is counted under the lock of a queue, to be added to the counters once for all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    pub(super) fired: u64,
    late: u64,
    worst_excess: Duration,
    pub(super) missed: u64,
    since: Instant,
    /// How many of the windows began after `since`.
    pub(super) overtaken: u64,
}

impl Tally {
    pub(super) fn since(since: Instant) -> Self {
        Self {
            fired: 0,
            late: 0,
            worst_excess: Duration::ZERO,
            missed: 0,
            since,
            overtaken: 0,
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
        self.overtaken += u64::from(firing.deadline() > self.since);
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
