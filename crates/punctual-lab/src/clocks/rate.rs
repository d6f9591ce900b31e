//! How fast a clock goes, by the machine's own.

use crate::machine::Reader;
use punctual::{Instant, Os};
use std::time::Duration;

/// How long the next change of a clock is waited for: the longest default interval between timer
/// interrupts is 20 ms.
const LONGEST_STEP: Duration = Duration::from_millis(50);

/// Changes to look at: one that nothing interrupted tells best when it was.
const TRIES: usize = 16;

/// What a clock changed to, and when that was seen.
#[derive(Debug, Clone, Copy)]
struct Change {
    count: u64,
    /// It had not changed yet.
    after: Instant,
    /// It had changed.
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

/// What a clock reads, when, and how well that is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    change: Change,
    unknown_ns: f64,
}

impl Sample {
    /// Looks at a clock as it changes, several times. `None` if it stands still.
    pub(super) fn take<O: Os>(os: &O, reader: &Reader) -> Option<Self> {
        let end = os.now() + LONGEST_STEP;
        let next = || Change::next(os, reader, end);
        let mut changes: Vec<_> = std::iter::from_fn(next).take(TRIES).collect();
        changes.sort_by_key(Change::width);
        let best = *changes.first()?;
        let counts_ns = reader.unit_ns.unwrap_or(0.0);
        // By the best of them, how late was each seen? Whole milliseconds, and systems that move
        // a clock late, make them disagree.
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

/// How fast a clock goes by the machine's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// By how many millionths it is faster; negative if it is slower. `None` if the system does not
    /// tell how long its counts are.
    pub ppm: Option<f64>,
    /// How far off that may be: by what is not known of the instants at which it changed, by how
    /// far several changes disagree, and by a count.
    pub uncertainty_ppm: f64,
    /// How long a count is, in nanoseconds.
    pub unit_ns: f64,
    /// Over how long this was measured.
    pub elapsed: Duration,
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
            elapsed: last.change.after.duration_since(first.change.after),
        })
    }
}
