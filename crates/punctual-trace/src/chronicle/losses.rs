//! Where a trace has gaps.

use crate::event::{Event, Kind, ProcessorId};
use punctual::Instant;
use std::collections::BTreeMap;

/// The times for which events of some processor are missing.
#[derive(Debug, Default)]
pub struct Losses {
    gaps: Vec<(Instant, Instant)>,
    last: BTreeMap<ProcessorId, Instant>,
}

impl Losses {
    pub(super) fn note(&mut self, event: &Event) {
        let last = self.last.insert(event.processor, event.at);
        if event.kind == Kind::Lost {
            self.gaps.push((last.unwrap_or(Instant::ZERO), event.at));
        }
    }

    /// How many gaps there are.
    pub fn count(&self) -> usize {
        self.gaps.len()
    }

    /// Whether anything is missing between two instants.
    pub fn touch(&self, from: Instant, to: Instant) -> bool {
        // In the order of their ends; those that end later may have begun earlier.
        let first = self.gaps.partition_point(|&(_, end)| end < from);
        self.gaps[first..].iter().any(|&(start, _)| start <= to)
    }
}
