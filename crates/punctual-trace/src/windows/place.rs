//! The order in which things happened: a row about an interrupt or DPC comes when that was done, and
//! time stamps are rounded.

use super::row::Row;
use crate::event::{Event, Kind, ProcessorId};
use punctual::Instant;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where an event belongs. Compared in this order:
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Its time in nanoseconds since the trace began.
    pub(super) at: u64,
    /// Twice the order of the row that it comes with, or one more if it comes behind that row.
    behind: u32,
    /// Of interrupts and DPCs that begin at the same place, those that end last begin first: they
    /// enclose the others.
    encloses: Reverse<u32>,
    /// The order of what belongs together.
    rank: u8,
}

impl Place {
    /// Before everything else at its time.
    pub(super) fn first_at(at: u64) -> Self {
        Self {
            at,
            behind: 0,
            encloses: Reverse(u32::MAX),
            rank: 0,
        }
    }

    /// Where what a row tells of was done.
    pub(super) fn of(row: &Row) -> Self {
        Self {
            at: row.at,
            behind: 2 * row.order,
            encloses: Reverse(0),
            rank: 0,
        }
    }

    /// Where the interrupt or DPC began that this row tells of: behind another row of the same time, if
    /// one is given.
    pub(super) fn beginning(row: &Row, from: u64, behind: Option<u32>) -> Self {
        Self {
            at: from,
            behind: behind.map_or(0, |order| 2 * order + 1),
            encloses: Reverse(row.order),
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

/// What happened, in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) place: Place,
    pub(super) processor: u16,
    pub(super) kind: Kind,
}

impl Placed {
    fn event(&self) -> Event {
        Event {
            at: instant(self.place.at),
            processor: ProcessorId(self.processor),
            running: match self.kind {
                Kind::Switch { previous, .. } => Some(previous),
                _ => None,
            },
            asked_to_switch: false,
            kind: self.kind,
        }
    }
}

pub(super) fn instant(nanos: u64) -> Instant {
    Instant::from_nanos(nanos)
}

/// The events of several lists, each in order, in order. Of those with the same place, those of the first
/// list come first.
pub(super) fn merged(mut lists: Vec<&[Placed]>) -> Vec<Event> {
    let length = lists.iter().map(|list| list.len()).sum();
    let mut merged = Vec::with_capacity(length);
    let heads = lists.iter().enumerate();
    let heads = heads.filter_map(|(index, list)| Some(Reverse((list.first()?.place, index))));
    let mut heads: BinaryHeap<_> = heads.collect();
    while let Some(Reverse((_, index))) = heads.pop() {
        // All that comes before the head of any other list.
        let limit = heads.peek().map(|&Reverse(head)| head);
        let list = lists[index];
        let is_next = |placed: &&Placed| limit.is_none_or(|limit| (placed.place, index) < limit);
        let (next, rest) = list.split_at(list.iter().take_while(is_next).count());
        merged.extend(next.iter().map(Placed::event));
        lists[index] = rest;
        heads.extend(rest.first().map(|head| Reverse((head.place, index))));
    }
    merged
}
