//! Deferred calls, and time that passes inside of an event because nothing else happens in it.
//!
//! What an event schedules often happens next. Done at once, with the clock moved on, it is no event
//! of its own: most of what an event takes is to keep it until its turn comes.

use crate::engine::EventId;
use crate::kernel::{Event, Kernel, Model};
use crate::processor::StolenTime;
use crate::random::nanos;
use crate::thread::NOBODY;
use punctual::Instant;
use std::time::Duration;

/// What became of a deferred call.
pub(crate) enum DpcOutcome {
    /// Its turn is now: the clock was moved on to it.
    Now,
    /// It is scheduled.
    Later(EventId),
}

impl<M: Model> Kernel<M> {
    /// Moves the clock on to an instant, if nothing happens until then. Returns whether it did; what
    /// was to be scheduled for that instant can then be done at once.
    ///
    /// Not inside of a call, whose time is its thread's; and not when ties are scrambled, whose order
    /// counts the events.
    #[inline]
    pub(crate) fn pass_until(&mut self, at: Instant) -> bool {
        let at = at.as_nanos();
        let passes = self.current == NOBODY && self.soon_is_fair && at < self.nothing_before();
        if passes {
            self.now = self.now.max(at);
        }
        passes
    }

    /// Queues a deferred procedure call: the event happens when that processor has served its
    /// interrupts and the calls before it, and takes `length` of its time.
    pub fn defer(&mut self, processor: usize, length: Duration, event: M::Event) -> EventId {
        let processor = self.checked(processor);
        self.catch_up(processor);
        let start = self.steal(processor, StolenTime::Dpc, nanos(length));
        self.queue_deferred(processor, start, event)
    }

    /// Schedules a deferred call for its turn.
    fn queue_deferred(&mut self, processor: u8, start: u64, event: M::Event) -> EventId {
        self.stirring += 1;
        let interrupted_for = self.processors[usize::from(processor)].interrupted_for;
        let call = Event::Dpc {
            processor,
            interrupted_for,
            event,
        };
        self.queue.insert(Instant::from_nanos(start), call)
    }

    /// As [`defer`](Self::defer), but says so if the call's turn is the next thing that happens.
    #[inline]
    pub(crate) fn defer_or_pass(
        &mut self,
        processor: usize,
        length: Duration,
        event: M::Event,
    ) -> DpcOutcome {
        let number = self.checked(processor);
        self.catch_up(number);
        let start = self.steal(number, StolenTime::Dpc, nanos(length));
        // Noise may still put it off: then its turn is known only when it comes.
        let has_noise = self.processors[processor].noise.is_some();
        if !has_noise && self.pass_until(Instant::from_nanos(start)) {
            DpcOutcome::Now
        } else {
            DpcOutcome::Later(self.queue_deferred(number, start, event))
        }
    }
}
