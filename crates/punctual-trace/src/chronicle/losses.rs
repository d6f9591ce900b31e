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

    /// Keeps the list short: of very many gaps, the older half is joined in pairs. Nothing is believed then
    /// of what lies between the two.
    pub(super) fn shorten(&mut self) {
        /// A gap every second for half a day.
        const MOST: usize = 1 << 16;
        if self.gaps.len() > MOST {
            let newer = self.gaps.split_off(MOST / 2);
            let joined = self.gaps.chunks(2).map(|pair| {
                let (start, end) = (pair[0].0, pair[pair.len() - 1].1);
                (pair.iter().map(|gap| gap.0).min().unwrap_or(start), end)
            });
            self.gaps = joined.chain(newer).collect();
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
