//! The rate of a clock against the machine's own.

use crate::machine::Reader;
use punctual::{Instant, Os};
use std::time::Duration;

/// How long to wait for a clock's next change: the longest default interval between timer
/// interrupts is 20 ms.
const LONGEST_STEP: Duration = Duration::from_millis(50);

/// How many changes to look at. The one that nothing interrupted gives the best time.
const TRIES: usize = 16;

/// The new value of a clock, and when it was seen.
#[derive(Debug, Clone, Copy)]
struct Change {
    count: u64,
    /// The last reading before the change.
    after: Instant,
    /// The first reading after the change.
    before: Instant,
}

impl Change {
    fn next<O: Os>(os: &O, reader: &Reader, end: Instant) -> Option<Self> {
        let mut after = os.now();
        let unchanged = (reader.read)();
        while after < end {
            let before_reading = os.now();
            let count = (reader.read)();
            if count != unchanged {
                let before = os.now();
                return Some(Self {
                    count,
                    after,
                    before,
                });
            }
            after = before_reading;
        }
        None
    }

    fn width(&self) -> Duration {
        self.before.duration_since(self.after)
    }

    fn middle_ns(&self) -> f64 {
        let nanos = self.after.as_nanos() + self.before.as_nanos();
        nanos as f64 / 2.0
    }
}

/// A clock's value, the time of the reading, and its uncertainty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    change: Change,
    unknown_ns: f64,
}

impl Sample {
    /// Watches several changes of a clock. `None` if it stands still.
    pub(super) fn take<O: Os>(os: &O, reader: &Reader) -> Option<Self> {
        let end = os.now() + LONGEST_STEP;
        let next = || Change::next(os, reader, end);
        let mut changes: Vec<_> = std::iter::from_fn(next).take(TRIES).collect();
        changes.sort_by_key(Change::width);
        let best = *changes.first()?;
        let counts_ns = reader.unit_ns.unwrap_or(0.0);
        // How late was each change seen, compared with the best? They disagree because of whole
        // milliseconds, and because some systems move a clock late.
        let late_ns = |change: &Change| {
            let moved_ns = reader.ahead(change.count, best.count) as f64 * counts_ns;
            change.middle_ns() - best.middle_ns() - moved_ns
        };
        let disagreement = match reader.unit_ns {
            Some(_) => changes
                .iter()
                .map(|change| late_ns(change).abs())
                .fold(0.0, f64::max),
            None => 0.0,
        };
        Some(Self {
            change: best,
            unknown_ns: best.width().as_nanos() as f64 / 2.0 + disagreement + counts_ns,
        })
    }
}

/// The rate of a clock against the machine's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rate {
    /// By how many millionths it is faster; negative if it is slower. `None` if the system does not
    /// tell the length of its counts.
    pub(super) ppm: Option<f64>,
    /// The uncertainty. It comes from the times of the changes, from the disagreement of several
    /// changes, and from the length of a count.
    pub(super) uncertainty_ppm: f64,
    /// How long a count is, in nanoseconds.
    pub(super) unit_ns: f64,
}

impl Rate {
    /// `None` if no time has passed.
    pub(super) fn between(first: &Sample, last: &Sample, reader: &Reader) -> Option<Self> {
        let elapsed_ns = last.change.middle_ns() - first.change.middle_ns();
        let counts = reader.ahead(last.change.count, first.change.count) as f64;
        if elapsed_ns <= 0.0 || counts <= 0.0 {
            return None;
        }
        let unit_ns = elapsed_ns / counts;
        let unknown_ns = first.unknown_ns + last.unknown_ns;
        Some(Self {
            ppm: reader.unit_ns.map(|stated| (stated / unit_ns - 1.0) * 1e6),
            uncertainty_ppm: unknown_ns / elapsed_ns * 1e6,
            unit_ns,
        })
    }
}
