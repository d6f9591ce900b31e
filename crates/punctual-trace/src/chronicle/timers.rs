//! Which timers woke a thread.

use super::forgetting::forget;
use super::processor::Processor;
use crate::event::{Event, Kind, ProcessorId, ThreadId, TimerId};
use crate::segment::Occupant;
use punctual::Instant;
use std::collections::{BTreeMap, BTreeSet, HashMap};

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

impl Armed {
    /// A timer of another clock, brought to the trace's clock by how far apart the two were when it
    /// expired: an instant of a clock that was set meanwhile is meant as the clock is set now.
    fn on_the_traces_clock(self, ahead_ns: i64) -> Self {
        let moved = |instant: Instant| {
            let back = ahead_ns.saturating_neg();
            Instant::from_nanos(instant.as_nanos().saturating_add_signed(back))
        };
        Self {
            earliest: moved(self.earliest),
            latest: moved(self.latest),
            ..self
        }
    }
}

/// A timer that expired and woke a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fired {
    /// How it had been armed. `None` if that was not recorded.
    pub armed: Option<Armed>,
    /// On which processor it expired.
    pub processor: ProcessorId,
    /// When the interrupt (or softirq) began in which its handler ran.
    pub interrupt_at: Instant,
    /// What that was.
    pub interrupt: Occupant,
    /// When its handler began.
    pub expired_at: Instant,
    /// When the handler woke the thread.
    pub waking_at: Instant,
}

/// The timers of a trace, while it is read.
#[derive(Debug, Default)]
pub(super) struct Timers {
    armed: HashMap<TimerId, Armed>,
    /// The timer whose handler runs on each processor.
    handled: BTreeMap<ProcessorId, Expiry>,
    followed: BTreeSet<ThreadId>,
    fired: BTreeMap<ThreadId, Vec<Fired>>,
}

#[derive(Debug, Clone, Copy)]
struct Expiry {
    timer: TimerId,
    at: Instant,
    armed: Option<Armed>,
    interrupt: (Occupant, Instant),
}

impl Timers {
    /// From now on it is known which timers wake this thread.
    pub(super) fn follow(&mut self, thread: ThreadId) {
        self.followed.insert(thread);
    }

    /// From now on a thread of this number is another. What is known stays.
    pub(super) fn leave(&mut self, thread: ThreadId) {
        self.followed.remove(&thread);
    }

    pub(super) fn follows(&self, thread: ThreadId) -> bool {
        self.followed.contains(&thread)
    }

    pub(super) fn followed(&self) -> impl Iterator<Item = ThreadId> {
        self.followed.iter().copied()
    }

    pub(super) fn remove(&mut self, thread: ThreadId) {
        self.fired.remove(&thread);
    }

    pub(super) fn fired(&self, thread: ThreadId) -> &[Fired] {
        self.fired.get(&thread).map_or(&[], Vec::as_slice)
    }

    pub(super) fn forget(&mut self, before: Instant) {
        for fired in self.fired.values_mut() {
            forget(fired, before, |fired| fired.waking_at);
        }
        /// More timers than a machine has armed at once, unless it has as many threads.
        const MOST: usize = 1 << 16;
        if self.armed.len() > MOST {
            // What should have expired by then has, and that was lost.
            self.armed.retain(|_, armed| armed.latest >= before);
        }
    }

    /// Takes in an event; `processor` is as it is after it. Returns the timer and the thread that it woke,
    /// if the event is this waking.
    pub(super) fn note(
        &mut self,
        event: &Event,
        processor: &Processor,
    ) -> Option<(ThreadId, Fired)> {
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
            Kind::TimerExpired {
                timer,
                clock_ahead_ns,
            } => {
                let nothing = (processor.occupant(), event.at);
                let expiry = Expiry {
                    timer,
                    at: event.at,
                    armed: self
                        .armed
                        .remove(&timer)
                        .map(|armed| armed.on_the_traces_clock(clock_ahead_ns)),
                    interrupt: processor.handler().unwrap_or(nothing),
                };
                self.handled.insert(event.processor, expiry);
            }
            Kind::TimerHandled { timer } => self.handled_on(event.processor, timer),
            Kind::Waking { thread } => return self.wakes(event, thread),
            // A handler does not sleep; what was lost may have held its end.
            Kind::Switch { .. } | Kind::Lost => {
                self.handled.remove(&event.processor);
            }
            _ => {}
        }
        None
    }

    /// Whether a timer's handler runs on a processor.
    pub(super) fn run_on(&self, processor: ProcessorId) -> bool {
        self.handled.contains_key(&processor)
    }

    fn handled_on(&mut self, processor: ProcessorId, timer: TimerId) {
        if let Some(expiry) = self.handled.get(&processor)
            && expiry.timer == timer
        {
            self.handled.remove(&processor);
        }
    }

    fn wakes(&mut self, event: &Event, thread: ThreadId) -> Option<(ThreadId, Fired)> {
        let expiry = self.handled.get(&event.processor)?;
        if !self.follows(thread) {
            return None;
        }
        let fired = Fired {
            armed: expiry.armed,
            processor: event.processor,
            interrupt_at: expiry.interrupt.1,
            interrupt: expiry.interrupt.0,
            expired_at: expiry.at,
            waking_at: event.at,
        };
        self.fired.entry(thread).or_default().push(fired);
        Some((thread, fired))
    }
}
