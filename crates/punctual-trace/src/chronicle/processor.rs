//! What a processor is doing, followed from event to event.

use crate::event::{Event, Kind, Priority, ProcessorId, ThreadId};
use crate::segment::Who;
use punctual::Instant;
use std::collections::BTreeMap;

/// How deep interrupts and deferred work can lie upon each other before it must be that their ends
/// were not recorded: a thread, a softirq, an interrupt and a non-maskable one are four.
const DEEPEST: usize = 8;

/// One processor.
#[derive(Debug, Default)]
pub struct Processor {
    running: Option<ThreadId>,
    /// The priority with which it was switched to.
    priority: Option<Priority>,
    /// What lies upon the thread, with the instants at which it began.
    above: Vec<(Who, Instant)>,
    /// Whether the last event showed a thread that nobody had switched to.
    switch_was_lost: bool,
    asked_to_switch: bool,
    /// When it chose the thread, if that was recorded.
    chose_at: Option<Instant>,
}

impl Processor {
    /// The thread whose turn it is.
    pub fn running(&self) -> Option<ThreadId> {
        self.running
    }

    /// Who has the processor: the thread, or what interrupted it.
    pub fn who(&self) -> Who {
        match (self.above.last(), self.running) {
            (Some(&(who, _)), _) => who,
            (None, Some(thread)) if thread.is_idle() => Who::Idle,
            (None, Some(thread)) => Who::Thread(thread),
            (None, None) => Who::Unknown,
        }
    }

    /// The priority of the thread that has the processor; `None` if it is not known, or if something
    /// has interrupted the thread.
    pub fn priority(&self) -> Option<Priority> {
        self.priority.filter(|_| self.above.is_empty())
    }

    /// The interrupt or deferred work that runs, with the instant at which it began.
    pub fn handler(&self) -> Option<(Who, Instant)> {
        self.above.last().copied()
    }

    /// Whether the last event showed a thread that nobody had switched to.
    pub fn switch_was_lost(&self) -> bool {
        self.switch_was_lost
    }

    /// Whether it has been asked to choose another thread.
    pub fn asked_to_switch(&self) -> bool {
        self.asked_to_switch
    }

    /// When it chose the thread whose turn it is, if that was recorded.
    pub fn chose_at(&self) -> Option<Instant> {
        self.chose_at
    }

    /// Takes in the next event of this processor.
    pub fn apply(&mut self, event: &Event) {
        let is_another = event.running.is_some() && event.running != self.running;
        self.switch_was_lost = is_another && self.running.is_some();
        if is_another {
            self.running = event.running;
            self.priority = None;
            self.chose_at = None;
            self.above.clear();
        }
        self.asked_to_switch = event.asked_to_switch;
        match event.kind {
            Kind::InterruptEntry { who } => self.begin(Who::Interrupt(who), event.at),
            Kind::DeferredEntry { who } => self.begin(Who::Deferred(who), event.at),
            Kind::InterruptExit => self.end(|who| matches!(who, Who::Interrupt(_))),
            Kind::DeferredExit => self.end(|who| matches!(who, Who::Deferred(_))),
            Kind::Switch {
                next,
                next_priority,
                ..
            } => {
                self.running = Some(next);
                self.priority = next_priority;
                self.above.clear();
                self.asked_to_switch = false;
                self.chose_at = Some(event.at);
            }
            Kind::Lost => {
                *self = Self {
                    running: event.running,
                    ..Self::default()
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, who: Who, at: Instant) {
        if self.above.len() == DEEPEST {
            self.above.clear();
        }
        self.above.push((who, at));
    }

    /// Ends the last one of this kind, and with it whatever began within it.
    fn end(&mut self, is_kind: impl Fn(Who) -> bool) {
        if let Some(index) = self.above.iter().rposition(|&(who, _)| is_kind(who)) {
            self.above.truncate(index);
        }
    }
}

/// All of them.
#[derive(Debug, Default)]
pub struct Processors(BTreeMap<ProcessorId, Processor>);

impl Processors {
    /// The processor of this number.
    pub fn of(&mut self, id: ProcessorId) -> &mut Processor {
        self.0.entry(id).or_default()
    }
}
