//! By how much a clock moves at a time.

use crate::machine::Reader;
use punctual::Os;
use std::time::Duration;

/// Enough to see the step of a clock that is read faster than it moves, and how it varies.
const CHANGES: usize = 200;

/// No clock is looked at for longer: six steps of one that moves with every timer interrupt of
/// 15.6 ms.
const LONGEST: Duration = Duration::from_millis(100);

/// How a clock moved while it was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// The least change between two readings, in counts. It is no finer than a reading takes.
    pub least: u64,
    /// Half the changes were at most this, in counts.
    pub median: u64,
    /// How many changes were seen.
    pub seen: usize,
    /// How often a reading was behind the one before.
    pub back: u64,
}

/// Looks at a clock until it has changed a few times.
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
