//! The order in which things happened: a row about an interrupt or DPC comes when that was done, and
//! time stamps are rounded.

use super::row::{Row, What};
use crate::event::{Event, Kind, ProcessorId};
use punctual::Instant;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Where an event belongs. Compared in this order:
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Its time in nanoseconds since the trace began.
    pub(super) at: u64,
    /// Twice the order of the row that it comes with, or one more if it comes behind that row.
    behind: usize,
    /// Of interrupts and DPCs that begin at the same place, those that end last begin first: they
    /// enclose the others.
    encloses: Reverse<usize>,
    /// The order of what belongs together.
    rank: u8,
}

impl Place {
    /// Before everything else at its time.
    pub(super) fn first_at(at: u64) -> Self {
        Self {
            at,
            behind: 0,
            encloses: Reverse(usize::MAX),
            rank: 0,
        }
    }

    fn of(row: &Row) -> Self {
        Self {
            at: row.at,
            behind: 2 * row.order,
            encloses: Reverse(0),
            rank: 0,
        }
    }

    /// The same, but later if it was before this time.
    pub(super) fn not_before(self, at: u64) -> Self {
        Self {
            at: self.at.max(at),
            ..self
        }
    }

    /// Behind it, before whatever comes next.
    pub(super) fn then(self, rank: u8) -> Self {
        Self { rank, ..self }
    }
}

/// An event in its place.
pub(super) type Placed = (Place, Event);

/// An event in its place.
pub(super) fn event(place: Place, processor: u16, kind: Kind) -> Event {
    Event {
        at: instant(place.at),
        processor: ProcessorId(processor),
        running: match kind {
            Kind::Switch { previous, .. } => Some(previous),
            _ => None,
        },
        asked_to_switch: false,
        kind,
    }
}

pub(super) fn instant(nanos: u64) -> Instant {
    Instant::from_nanos(nanos)
}

/// For each row, where what it tells of began and where it was done.
pub(super) fn places(rows: &[Row]) -> Vec<(Place, Place)> {
    let mut boundaries: HashMap<u16, Vec<(u64, usize)>> = HashMap::new();
    let place = |row: &Row| {
        let done = Place::of(row);
        match row.what {
            What::Switch { processor, .. } => {
                let boundaries = boundaries.entry(processor).or_default();
                boundaries.push((row.at, row.order));
                (done, done)
            }
            What::Served {
                processor, from, ..
            } => {
                let boundaries = boundaries.entry(processor).or_default();
                let began = Place {
                    at: from,
                    behind: last_at(boundaries, from).map_or(0, |line| 2 * line + 1),
                    encloses: Reverse(row.order),
                    rank: 0,
                };
                if from < row.at {
                    boundaries.push((row.at, row.order));
                }
                (began, done)
            }
            What::Ready { .. } | What::Ended(_) | What::Lost { .. } => (done, done),
        }
    };
    rows.iter().map(place).collect()
}

/// The last switch, or end of an interrupt or DPC, at a time: what begins then begins after it.
fn last_at(boundaries: &[(u64, usize)], at: u64) -> Option<usize> {
    let mut earlier = boundaries.iter().rev();
    let &(found, line) = earlier.find(|&&(time, _)| time <= at)?;
    (found == at).then_some(line)
}
