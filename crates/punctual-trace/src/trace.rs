//! A trace: the events of all processors in the order of time, with the names in them.

use crate::event::{Event, Kind, ProcessorId, ThreadId};
use crate::names::Names;
use std::collections::BTreeSet;

/// A trace. Traces of every system, made into this type, give the same report.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    events: Vec<Event>,
    /// The names of what is in the events.
    pub names: Names,
}

impl Trace {
    /// Puts events into the order of time. Events of the same instant stay as they were given.
    pub fn new(mut events: Vec<Event>, names: Names) -> Self {
        events.sort_by_key(|event| event.at);
        Self { events, names }
    }

    /// The events, in the order of time.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The processors that have events.
    pub fn processors(&self) -> BTreeSet<ProcessorId> {
        self.events.iter().map(|event| event.processor).collect()
    }

    /// These threads and all that they started, directly or indirectly.
    pub fn family(&self, threads: &[ThreadId]) -> Vec<ThreadId> {
        let mut family: BTreeSet<_> = threads.iter().copied().collect();
        for event in &self.events {
            if let (Kind::Started { thread }, Some(starter)) = (event.kind, event.running)
                && family.contains(&starter)
            {
                family.insert(thread);
            }
        }
        family.into_iter().collect()
    }
}
