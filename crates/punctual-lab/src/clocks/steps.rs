//! The steps of a clock.

use crate::machine::Reader;
use punctual::Os;
use std::time::Duration;

/// Enough to see the step of a clock that is read faster than it moves, and how much the step
/// varies.
const CHANGES: usize = 200;

/// The limit for one clock: six steps of a clock that moves with a timer interrupt of 15.6 ms.
const LONGEST: Duration = Duration::from_millis(100);

/// The steps of a clock while it was watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// The smallest change between two readings, in counts. It cannot be smaller than the time of
    /// one reading.
    pub least: u64,
    /// Half of the changes were at most this, in counts.
    pub median: u64,
    /// The number of changes that were seen.
    pub seen: usize,
    /// How often a reading was behind the one before.
    pub back: u64,
}

/// Watches a clock until it has changed a few times.
pub(super) fn look_at<O: Os>(os: &O, reader: &Reader) -> Option<Steps> {
    let end = os.now() + LONGEST;
    let mut changes = Vec::with_capacity(CHANGES);
    let mut back = 0;
    let mut last = (reader.read)();
    while changes.len() < CHANGES && os.now() < end {
        let reading = (reader.read)();
        match u64::try_from(reader.ahead(reading, last)) {
            Ok(0) => {}
            Ok(change) => changes.push(change),
            Err(_) => back += 1,
        }
        last = reading;
    }
    changes.sort_unstable();
    Some(Steps {
        least: *changes.first()?,
        median: changes[changes.len() / 2],
        seen: changes.len(),
        back,
    })
}
