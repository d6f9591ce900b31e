//! What was counted, and what is said of it.

use super::Arrival;
use super::histogram::Histogram;
use crate::instant::saturating_nanos;
use core::fmt;
use core::time::Duration;

/// The summary of [`LatenessStats`](super::LatenessStats), over all time or over one second.
///
/// Percentiles are within a thirty-second (3.2 %) of the true ones. A percentile of more than
/// 69 seconds is given as the worst lateness. Everything else is exact.
///
/// It displays on one line, which fits a terminal of 80 columns:
///
/// ```
/// use punctual::{Instant, LatenessStats, Period, Schedule};
/// use std::time::Duration;
///
/// let mut frames = Schedule::new(Instant::ZERO, Period::from_hertz(144));
/// let mut stats = LatenessStats::new();
/// for frame in 0..1000 {
///     let late = Duration::from_micros(if frame == 500 { 2_345 } else { 31 });
///     let woke = frames.next_deadline().unwrap() + late;
///     stats.record(frames.tick(woke).unwrap());
/// }
/// assert_eq!(
///     stats.summary().to_string(),
///     "144.0 Hz, late 31.2µs (p50), 31.2µs (p99), 2.3ms (worst), 0 missed",
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The number of events.
    pub count: u64,
    /// Events per second, on average; zero until there are two.
    pub rate_hertz: f64,
    /// The average time between events; zero until there are two. The first event of a second counts
    /// from the last one of the second before.
    pub mean_interval: Duration,
    /// The median lateness: half of all events were no later.
    pub p50: Duration,
    /// The 99th percentile of lateness: 99 of 100 events were no later.
    pub p99: Duration,
    /// The longest lateness.
    pub worst: Duration,
    /// The number of periods without an event.
    pub missed: u64,
}

/// What is counted for a summary.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    latenesses: Histogram,
    missed: u64,
    intervals: u64,
    /// The sum of the intervals.
    nanos: u64,
}

impl Tally {
    /// Takes note of what came this long after the one before, if there is one to count from.
    pub(super) fn add(&mut self, arrival: &Arrival, interval: Option<Duration>) {
        self.latenesses.add(saturating_nanos(arrival.lateness()));
        self.missed = self.missed.saturating_add(arrival.missed);
        if let Some(interval) = interval {
            self.intervals += 1;
            self.nanos = self.nanos.saturating_add(saturating_nanos(interval));
        }
    }

    pub(super) fn summary(&self) -> Summary {
        let percentile = |percent| Duration::from_nanos(self.latenesses.percentile(percent));
        Summary {
            count: self.latenesses.count(),
            rate_hertz: self.rate_hertz(),
            mean_interval: Duration::from_nanos(
                self.nanos.checked_div(self.intervals).unwrap_or(0),
            ),
            p50: percentile(50),
            p99: percentile(99),
            worst: Duration::from_nanos(self.latenesses.worst()),
            missed: self.missed,
        }
    }

    pub(super) fn clear(&mut self) {
        self.latenesses.clear();
        (self.missed, self.intervals, self.nanos) = (0, 0, 0);
    }

    fn rate_hertz(&self) -> f64 {
        if self.nanos == 0 {
            return 0.0;
        }
        self.intervals as f64 / Duration::from_nanos(self.nanos).as_secs_f64()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("nothing came");
        }
        write!(
            f,
            "{:.1} Hz, late {} (p50), {} (p99), {} (worst), {} missed",
            self.rate_hertz,
            Short(self.p50),
            Short(self.p99),
            Short(self.worst),
            self.missed,
        )
    }
}

/// A duration to a tenth of its unit, of which nanoseconds have none.
struct Short(Duration);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = usize::from(self.0 >= Duration::from_micros(1));
        write!(f, "{:.digits$?}", self.0)
    }
}
