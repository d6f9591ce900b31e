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

/// Counts of a log, while it is read. A log has many records of few classes.
#[derive(Debug, Default)]
pub(super) struct Counting {
    pub(super) census: Census,
    /// Those that were counted last, by their kinds.
    recent: Vec<Option<(Class, u64)>>,
}

impl Counting {
    pub(super) fn count(&mut self, class: Class) {
        let place = match class {
            Class::Kernel { group, kind, .. } => usize::from(group ^ kind),
            Class::Provider { id, .. } => usize::from(id) % PLACES,
            Class::Classic { kind, .. } | Class::Other(kind) => usize::from(kind),
        };
        self.recent.resize(PLACES, None);
        match &mut self.recent[place] {
            Some((of, count)) if *of == class => *count += 1,
            other => {
                let before = other.replace((class, 1));
                self.census.add(before);
            }
        }
    }

    pub(super) fn finish(mut self) -> Census {
        for recent in self.recent {
            self.census.add(recent);
        }
        self.census
    }
}

/// As many as kinds of kernel events.
const PLACES: usize = 256;

impl Census {
    fn add(&mut self, counted: Option<(Class, u64)>) {
        if let Some((class, count)) = counted {
            *self.events.entry(class).or_default() += count;
        }
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
