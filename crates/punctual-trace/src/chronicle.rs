//! What the events of a trace mean: which thread had each processor, what each thread did, which timers
//! woke it, and where events are missing. It is made in one pass.

mod history;
mod losses;
mod occupancy;
mod processor;
mod timers;

pub use history::{History, State};
pub use losses::Losses;
pub use occupancy::{Occupancy, Span};
pub use timers::{Armed, Fired};

use crate::event::{Event, Kind, Priority, ProcessorId, ThreadId};
use crate::segment::Who;
use crate::trace::Trace;
use history::Histories;
use occupancy::Occupancies;
use processor::Processors;
use punctual::Instant;
use std::collections::BTreeMap;
use timers::Timers;

/// The history of a trace's threads and processors.
#[derive(Debug, Default)]
pub struct Chronicle {
    occupancy: BTreeMap<ProcessorId, Occupancy>,
    histories: BTreeMap<ThreadId, History>,
    fired: BTreeMap<ThreadId, Vec<Fired>>,
    losses: Losses,
    start: Instant,
    end: Instant,
}

impl Chronicle {
    /// Reads a trace, to explain the waits of these threads.
    pub fn new(trace: &Trace, threads: &[ThreadId]) -> Self {
        let mut processors = Processors::default();
        let mut occupancies = Occupancies::default();
        let mut histories = Histories::of(threads);
        let mut timers = Timers::of(threads);
        let mut losses = Losses::default();
        for event in trace.events() {
            losses.note(event);
            let processor = processors.of(event.processor);
            let before = processor.running();
            processor.apply(event);
            occupancies.note(event, processor);
            histories.note(event, before);
            timers.note(event, processor);
        }
        Self {
            occupancy: occupancies.finish(),
            histories: histories.finish(),
            fired: timers.finish(),
            losses,
            start: trace.events().first().map_or(Instant::MAX, first),
            end: trace.events().last().map_or(Instant::ZERO, |last| last.at),
        }
    }

    /// Who had the processor when.
    pub fn occupancy(&self, processor: ProcessorId) -> &Occupancy {
        const NOBODY: &Occupancy = &Occupancy::EMPTY;
        self.occupancy.get(&processor).unwrap_or(NOBODY)
    }

    /// The priority with which a thread had a processor from `from` to `to`, if that is known.
    pub fn priority(&self, thread: ThreadId, from: Instant, to: Instant) -> Option<Priority> {
        let mut spans = self
            .occupancy
            .values()
            .filter_map(|occupancy| occupancy.between(from, to).next());
        let (span, _) = spans.find(|(span, _)| span.who == Who::Thread(thread))?;
        span.priority
    }

    /// What the thread did when.
    pub fn history(&self, thread: ThreadId) -> &History {
        const NOTHING: &History = &History::EMPTY;
        self.histories.get(&thread).unwrap_or(NOTHING)
    }

    /// The timers that woke the thread, in the order in which they expired.
    pub fn fired(&self, thread: ThreadId) -> &[Fired] {
        self.fired.get(&thread).map_or(&[], Vec::as_slice)
    }

    /// Where events are missing.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Whether the trace had begun at an instant and went on behind it.
    pub fn holds(&self, at: Instant) -> bool {
        (self.start..=self.end).contains(&at)
    }
}

fn first(event: &Event) -> Instant {
    match event.kind {
        // What is missing before it began earlier, and nobody knows when.
        Kind::Lost => Instant::ZERO,
        _ => event.at,
    }
}
