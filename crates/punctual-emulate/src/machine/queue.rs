//! The alarms of one class, by when they must go off.

use punctual::Instant;
use std::collections::BTreeMap;

/// Alarms that end at ticks.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    /// By the time at which they must go off, and their number: since when they may.
    by_latest: BTreeMap<(Instant, u64), Instant>,
    /// By number: since when they may go off, and when they must.
    within: BTreeMap<u64, (Instant, Instant)>,
    /// How many may go off before they must.
    tolerant: usize,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.within.is_empty()
    }

    pub(super) fn add(&mut self, id: u64, earliest: Instant, latest: Instant) {
        self.by_latest.insert((latest, id), earliest);
        self.within.insert(id, (earliest, latest));
        self.tolerant += usize::from(earliest < latest);
    }

    pub(super) fn remove(&mut self, id: u64) {
        if let Some((earliest, latest)) = self.within.remove(&id) {
            self.by_latest.remove(&(latest, id));
            self.tolerant -= usize::from(earliest < latest);
        }
    }

    pub(super) fn has_tolerant(&self) -> bool {
        self.tolerant > 0
    }

    /// Since when an alarm may go off, and when it must.
    pub(super) fn within(&self, id: u64) -> Option<(Instant, Instant)> {
        self.within.get(&id).copied()
    }

    /// When the first alarm must go off of those that are not due by this tick.
    pub(super) fn first_after(&self, tick: Option<Instant>) -> Option<Instant> {
        let Some(tick) = tick else {
            return self.by_latest.keys().next().map(|(latest, _)| *latest);
        };
        // What must go off after the tick may be due before it, but only if it is tolerant.
        let mut later = self.by_latest.range((tick, u64::MAX)..);
        later
            .find(|(_, earliest)| **earliest > tick)
            .map(|((latest, _), _)| *latest)
    }

    /// Takes out those that are due by this tick.
    pub(super) fn take_due(&mut self, tick: Instant, mut taken: impl FnMut(u64)) {
        if self.tolerant > 0 {
            let due = self.within.iter().filter(|(_, (may, _))| *may <= tick);
            let due: Vec<u64> = due.map(|(id, _)| *id).collect();
            for id in due {
                self.remove(id);
                taken(id);
            }
            return;
        }
        while let Some(entry) = self.by_latest.first_entry()
            && entry.key().0 <= tick
        {
            let ((_, id), _) = entry.remove_entry();
            self.within.remove(&id);
            taken(id);
        }
    }
}
