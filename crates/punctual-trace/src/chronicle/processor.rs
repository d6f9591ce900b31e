//! What a processor is doing, followed from event to event.

use crate::event::{Event, Kind, Priority, ProcessorId, ThreadId};
use crate::segment::Occupant;
use punctual::Instant;
use std::collections::BTreeMap;

/// How deep interrupts and softirqs can lie upon each other before it must be that their ends
/// were not recorded: a thread, a softirq, an interrupt and a non-maskable one are four.
const DEEPEST: usize = 8;

/// One processor.
#[derive(Debug, Default)]
pub struct Processor {
    running: Option<ThreadId>,
    /// The priority with which it was switched to.
    priority: Option<Priority>,
    /// What lies upon the thread, with the instants at which it began.
    above: Vec<(Occupant, Instant)>,
    /// Whether the last event showed a thread to which no switch was seen.
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

    /// What has the processor: the thread, or what interrupted it.
    pub fn occupant(&self) -> Occupant {
        match (self.above.last(), self.running) {
            (Some(&(occupant, _)), _) => occupant,
            (None, Some(thread)) if thread.is_idle() => Occupant::Idle,
            (None, Some(thread)) => Occupant::Thread(thread),
            (None, None) => Occupant::Unknown,
        }
    }

    /// The priority of the thread that has the processor; `None` if it is not known, or if something
    /// has interrupted the thread.
    pub fn priority(&self) -> Option<Priority> {
        self.priority.filter(|_| self.above.is_empty())
    }

    /// The interrupt or softirq that runs, with the instant at which it began.
    pub fn handler(&self) -> Option<(Occupant, Instant)> {
        self.above.last().copied()
    }

    /// Whether the last event showed a thread to which no switch was seen.
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
            Kind::InterruptEntry { name } => self.begin(Occupant::Interrupt(name), event.at),
            Kind::SoftirqEntry { name } => self.begin(Occupant::Softirq(name), event.at),
            Kind::InterruptExit => self.end(|occupant| matches!(occupant, Occupant::Interrupt(_))),
            Kind::SoftirqExit => self.end(|occupant| matches!(occupant, Occupant::Softirq(_))),
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

    fn begin(&mut self, occupant: Occupant, at: Instant) {
        if self.above.len() == DEEPEST {
            self.above.clear();
        }
        self.above.push((occupant, at));
    }

    /// Ends the last one of this kind, and with it whatever began within it.
    fn end(&mut self, is_kind: impl Fn(Occupant) -> bool) {
        let mut above = self.above.iter();
        if let Some(index) = above.rposition(|&(occupant, _)| is_kind(occupant)) {
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
