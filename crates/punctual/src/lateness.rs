//! Statistics of lateness: over all time, and second by second.

mod histogram;
mod summary;

use crate::{Instant, Tick};
use alloc::boxed::Box;
use core::time::Duration;
pub use summary::Summary;
use summary::Tally;

const SECOND: Duration = Duration::from_secs(1);

/// Counts how late the ticks of a loop come, and at which rate. Use it for a game's overlay, a
/// controller's log, or the summary of a run.
///
/// Give it every [`Tick`] or [`Wake`](crate::Wake). It reads no clock: it counts seconds with the
/// instants that it is given. It allocates less than nine kilobytes, once, when it is made. Recording
/// costs a few additions.
///
/// ```
/// use punctual::{LatenessStats, Ticker};
/// use std::time::Duration;
///
/// let mut stats = LatenessStats::new();
/// for tick in Ticker::new(Duration::from_millis(1)).take(20) {
///     if let Some(second) = stats.record(tick) {
///         // Once a second: "1000.0 Hz, late 1.2µs (p50), 9.8µs (p99), 1.3ms (worst), 1 missed".
///         println!("{second}");
///     }
/// }
/// let all = stats.summary();
/// assert_eq!(all.count, 20);
/// println!("{:.1} Hz, and in the worst case {:?} late", all.rate_hertz, all.worst);
/// ```
#[derive(Debug, Clone)]
pub struct LatenessStats {
    all: Box<Tally>,
    /// The second under way.
    second: Box<Tally>,
    /// Where that ends, once there was something in it.
    second_ends: Option<Instant>,
    last_second: Option<Summary>,
    /// What the next interval counts from.
    latest: Option<Instant>,
}

/// One event for [`LatenessStats::record`]: when it should have come, when it came, and how many
/// periods were missed before it. [`Tick`] and [`Wake`](crate::Wake) convert into it.
///
/// ```
/// use punctual::{Arrival, Instant, LatenessStats};
///
/// // From your own event loop.
/// let (deadline, woke) = (Instant::from_nanos(1_000), Instant::from_nanos(1_024));
/// let mut stats = LatenessStats::new();
/// stats.record(Arrival::new(deadline, woke));
/// assert_eq!(stats.summary().worst.as_nanos(), 24);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrival {
    /// The instant at which it should have come.
    pub deadline: Instant,
    /// The instant at which it came.
    pub woke: Instant,
    /// How many periods before this one passed without an event.
    pub missed: u64,
}

impl Arrival {
    /// An event before which nothing was missed.
    pub fn new(deadline: Instant, woke: Instant) -> Self {
        Self {
            deadline,
            woke,
            missed: 0,
        }
    }

    /// How late it came; zero if it came early.
    pub fn lateness(&self) -> Duration {
        self.woke - self.deadline
    }
}

impl From<Tick> for Arrival {
    fn from(tick: Tick) -> Self {
        Self {
            deadline: tick.deadline,
            woke: tick.woke,
            missed: tick.missed,
        }
    }
}

impl From<&Tick> for Arrival {
    fn from(tick: &Tick) -> Self {
        Self::from(*tick)
    }
}

impl LatenessStats {
    /// Statistics without any event.
    pub fn new() -> Self {
        Self {
            all: Box::default(),
            second: Box::default(),
            second_ends: None,
            last_second: None,
            latest: None,
        }
    }

    /// Records a [`Tick`], a [`Wake`](crate::Wake) or an [`Arrival`].
    ///
    /// The first event after the end of a second returns the summary of that second, without itself.
    /// A second without events has no summary.
    pub fn record(&mut self, arrival: impl Into<Arrival>) -> Option<Summary> {
        let arrival = arrival.into();
        let ended = self.end_second(arrival.woke);
        let interval = self.latest.map(|latest| arrival.woke - latest);
        self.latest = self.latest.max(Some(arrival.woke));
        self.all.add(&arrival, interval);
        self.second.add(&arrival, interval);
        ended
    }

    /// The summary of all events since it was made or [reset](Self::reset).
    pub fn summary(&self) -> Summary {
        self.all.summary()
    }

    /// The summary of the last finished second, as [`record`](Self::record) returned it. `None`
    /// before the end of the first.
    pub fn last_second(&self) -> Option<Summary> {
        self.last_second
    }

    /// Leaves the time since the last event out of the rate and the mean interval. Use it after a
    /// pause.
    pub fn resume(&mut self) {
        self.latest = None;
    }

    /// Forgets everything. The next event begins the first second.
    pub fn reset(&mut self) {
        self.all.clear();
        self.second.clear();
        self.second_ends = None;
        self.last_second = None;
        self.latest = None;
    }

    /// Sums up the second under way if it ended before `now`, and begins the one that `now` is in.
    fn end_second(&mut self, now: Instant) -> Option<Summary> {
        let Some(end) = self.second_ends else {
            self.second_ends = Some(now + SECOND);
            return None;
        };
        if now < end {
            return None;
        }
        let whole_seconds = Duration::from_secs((now - end).as_secs());
        self.second_ends = Some(end + whole_seconds + SECOND);
        self.last_second = Some(self.second.summary());
        self.second.clear();
        self.last_second
    }
}

impl Default for LatenessStats {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
