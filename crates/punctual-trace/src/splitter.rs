//! Cutting a lateness into segments that add up to it, whatever is said about them.

use crate::segment::{Cause, Occupant, Segment};
use punctual::Instant;

/// A lateness that is being cut, from its beginning to its end.
#[derive(Debug)]
pub(crate) struct Splitter {
    cursor: Instant,
    end: Instant,
    segments: Vec<Segment>,
}

impl Splitter {
    pub(crate) fn new(start: Instant, end: Instant) -> Self {
        Self {
            cursor: start,
            end: end.max(start),
            segments: Vec::new(),
        }
    }

    /// How far it has come.
    pub(crate) fn cursor(&self) -> Instant {
        self.cursor
    }

    /// An instant, or the end of the lateness if that is sooner.
    pub(crate) fn within(&self, at: Instant) -> Instant {
        at.min(self.end)
    }

    /// What lies between the last cut and `to` passed for this reason. What has already been
    /// accounted for stays as it is, and what lies behind the end does not count.
    pub(crate) fn until(&mut self, to: Instant, cause: Cause, occupant: Occupant) {
        let to = self.within(to);
        if to <= self.cursor {
            return;
        }
        let ns = to.as_nanos() - self.cursor.as_nanos();
        self.cursor = to;
        match self.segments.last_mut() {
            Some(last) if (last.cause, last.occupant) == (cause, occupant) => last.ns += ns,
            _ => self.segments.push(Segment {
                cause,
                occupant,
                priority: None,
                ns,
            }),
        }
    }

    pub(crate) fn finish(self) -> Vec<Segment> {
        self.segments
    }
}
