//! What a log has, and what of it could not be read.

use super::class::Class;
use std::collections::HashMap;

/// Counts of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Its buffers.
    pub buffers: u64,
    /// Buffers before which events are missing.
    pub buffers_after_losses: u64,
    /// Buffers that are compressed in a way that is not read.
    pub packed_buffers: u64,
    /// Records of kinds that matter that are cut short or of an unknown form.
    pub unread_records: u64,
    /// Bytes at the ends of buffers that are no record.
    pub unread_bytes: u64,
    events: HashMap<Class, u64>,
}

impl Census {
    pub(super) fn count(&mut self, class: Class) {
        *self.events.entry(class).or_default() += 1;
    }

    /// The events of each class, the most frequent first.
    pub fn events(&self) -> Vec<(Class, u64)> {
        let mut events: Vec<_> = self
            .events
            .iter()
            .map(|(&class, &count)| (class, count))
            .collect();
        events.sort_by_key(|&(class, count)| (std::cmp::Reverse(count), class));
        events
    }

    /// All events.
    pub fn total(&self) -> u64 {
        self.events.values().sum()
    }
}
