//! Which timers woke a thread.

use super::processor::Processor;
use crate::event::{Event, Kind, ProcessorId, ThreadId, TimerId};
use crate::segment::Who;
use punctual::Instant;
use std::collections::{BTreeMap, HashMap};

/// A timer as it was armed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Armed {
    /// When.
    pub at: Instant,
    /// The instant that was asked for.
    pub earliest: Instant,
    /// The instant at which an interrupt was asked for, if no other came sooner.
    pub latest: Instant,
}

/// A timer that expired and woke a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fired {
    /// How it had been armed. `None` if that was not recorded.
    pub armed: Option<Armed>,
    /// On which processor it expired.
    pub processor: ProcessorId,
    /// When the interrupt (or deferred work) began in which its handler ran.
    pub interrupt_at: Instant,
    /// What that was.
    pub interrupt: Who,
    /// When its handler began.
    pub expired_at: Instant,
    /// When the handler woke the thread.
    pub waking_at: Instant,
}

/// The timers of a trace, while it is read.
#[derive(Debug)]
pub(super) struct Timers {
    armed: HashMap<TimerId, Armed>,
    /// The timer whose handler runs on each processor.
    handled: BTreeMap<ProcessorId, Expiry>,
    fired: BTreeMap<ThreadId, Vec<Fired>>,
}

#[derive(Debug, Clone, Copy)]
struct Expiry {
    timer: TimerId,
    at: Instant,
    armed: Option<Armed>,
    interrupt: (Who, Instant),
}

impl Timers {
    pub(super) fn of(threads: &[ThreadId]) -> Self {
        let fired = threads.iter().map(|&thread| (thread, Vec::new()));
        Self {
            armed: HashMap::new(),
            handled: BTreeMap::new(),
            fired: fired.collect(),
        }
    }

    /// Takes in an event; `processor` is as it is after it.
    pub(super) fn note(&mut self, event: &Event, processor: &Processor) {
        match event.kind {
            Kind::TimerArmed {
                timer,
                earliest,
                latest,
            } => {
                let at = event.at;
                let latest = latest.max(earliest);
                let armed = Armed {
                    at,
                    earliest,
                    latest,
                };
                self.armed.insert(timer, armed);
            }
            Kind::TimerCancelled { timer } => {
                self.armed.remove(&timer);
            }
            Kind::TimerExpired { timer } => {
                let nothing = (processor.who(), event.at);
                let expiry = Expiry {
                    timer,
                    at: event.at,
                    armed: self.armed.remove(&timer),
                    interrupt: processor.handler().unwrap_or(nothing),
                };
                self.handled.insert(event.processor, expiry);
            }
            Kind::TimerHandled { timer } => self.handled_on(event.processor, timer),
            Kind::Waking { thread } => self.wakes(event, thread),
            // A handler does not sleep; what was lost may have held its end.
            Kind::Switch { .. } | Kind::Lost => {
                self.handled.remove(&event.processor);
            }
            _ => {}
        }
    }

    fn handled_on(&mut self, processor: ProcessorId, timer: TimerId) {
        if let Some(expiry) = self.handled.get(&processor)
            && expiry.timer == timer
        {
            self.handled.remove(&processor);
        }
    }

    fn wakes(&mut self, event: &Event, thread: ThreadId) {
        let Some(expiry) = self.handled.get(&event.processor) else {
            return;
        };
        if let Some(fired) = self.fired.get_mut(&thread) {
            fired.push(Fired {
                armed: expiry.armed,
                processor: event.processor,
                interrupt_at: expiry.interrupt.1,
                interrupt: expiry.interrupt.0,
                expired_at: expiry.at,
                waking_at: event.at,
            });
        }
    }

    pub(super) fn finish(self) -> BTreeMap<ThreadId, Vec<Fired>> {
        self.fired
    }
}
