//! How fast a clock goes, by the machine's own.

use super::Reader;
use punctual::{Instant, Os};
use std::time::Duration;

/// How long the next change of a clock is waited for: the longest default interval between timer
/// interrupts is 20 ms.
const LONGEST_STEP: Duration = Duration::from_millis(50);

/// Changes to choose from: one that nothing interrupted tells best when it was.
const TRIES: u32 = 16;

/// What a clock changed to, and when that was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    count: u64,
    /// It had not changed yet.
    after: Instant,
    /// It had changed.
    before: Instant,
}

impl Sample {
    /// Looks at a clock as it changes; of several changes, at the one whose time is most certain.
    /// `None` if it stands still.
    pub(super) fn take<O: Os>(os: &O, reader: &Reader) -> Option<Self> {
        let end = os.now() + LONGEST_STEP;
        let mut best: Option<Self> = None;
        for _ in 0..TRIES {
            let Some(change) = Self::of_next_change(os, reader, end) else {
                break;
            };
            if best.is_none_or(|best| change.width() < best.width()) {
                best = Some(change);
            }
        }
        best
    }

    fn of_next_change<O: Os>(os: &O, reader: &Reader, end: Instant) -> Option<Self> {
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
        self.before.since(self.after)
    }

    fn middle_ns(&self) -> f64 {
        let nanos = self.after.as_nanos() + self.before.as_nanos();
        nanos as f64 / 2.0
    }
}

/// How fast a clock goes by the machine's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// By how many millionths it is faster; negative if it is slower. `None` if the system does not
    /// tell how long its counts are.
    pub ppm: Option<f64>,
    /// How far off that may be, for what is not known of the instants at which it changed.
    pub uncertainty_ppm: f64,
    /// How long a count is, in nanoseconds.
    pub unit_ns: f64,
    /// Over how long this was measured.
    pub elapsed: Duration,
}

impl Rate {
    /// `None` if no time has passed.
    pub(super) fn between(first: &Sample, last: &Sample, reader: &Reader) -> Option<Self> {
        let elapsed_ns = last.middle_ns() - first.middle_ns();
        let counts = reader.ahead(last.count, first.count) as f64;
        if elapsed_ns <= 0.0 || counts <= 0.0 {
            return None;
        }
        let unit_ns = elapsed_ns / counts;
        let unknown = first.width() + last.width();
        Some(Self {
            ppm: reader.unit_ns.map(|stated| (stated / unit_ns - 1.0) * 1e6),
            uncertainty_ppm: unknown.as_nanos() as f64 / 2.0 / elapsed_ns * 1e6,
            unit_ns,
            elapsed: last.after.since(first.after),
        })
    }
}
