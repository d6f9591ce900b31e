//! A simulated processor, followed through the log.

use crate::event::{Left, ThreadId};
use punctual::Instant;
use std::collections::VecDeque;
use std::time::Duration;

/// What a thread does next that leaves its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Going {
    StaysReady,
    Waits,
    Ends,
}

impl Going {
    pub(super) fn left(self) -> Left {
        match self {
            Self::StaysReady => Left::Ready,
            Self::Waits => Left::Waiting,
            Self::Ends => Left::Ended,
        }
    }
}

/// A switch that has come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Switch {
    pub(super) at: Instant,
    pub(super) previous: ThreadId,
    pub(super) going: Going,
    pub(super) next: ThreadId,
}

/// A softirq, or a DPC, that has not been served to its end.
#[derive(Debug, Clone, Copy)]
struct Softirq {
    order: usize,
    from: Instant,
    to: Instant,
    source: usize,
}

/// One processor.
#[derive(Debug)]
pub(super) struct Processor {
    current: ThreadId,
    going: Going,
    /// Which thread it is to turn to, and when, unless something intervenes.
    next: Option<(Instant, ThreadId)>,
    interrupts_until: Instant,
    softirqs: VecDeque<Softirq>,
    softirqs_until: Instant,
}

impl Default for Processor {
    fn default() -> Self {
        Self {
            current: ThreadId::IDLE,
            going: Going::Waits,
            next: None,
            interrupts_until: Instant::ZERO,
            softirqs: VecDeque::new(),
            softirqs_until: Instant::ZERO,
        }
    }
}

impl Processor {
    /// Whether a thread has it, or is to have it next.
    pub(super) fn has(&self, thread: ThreadId) -> bool {
        match self.next {
            Some((_, next)) if next == thread => true,
            // One that has left it cannot leave again.
            Some(_) => false,
            None => self.current == thread,
        }
    }

    /// It is to turn to a thread from an instant on.
    pub(super) fn turn_to(
        &mut self,
        at: Instant,
        from: Instant,
        thread: ThreadId,
    ) -> Option<Switch> {
        let done = match self.next {
            Some((idle_from, _)) if idle_from < at => self.commit(at),
            _ => None,
        };
        self.next = Some((from, thread));
        done
    }

    /// The thread that has it, or is to have it, is to leave it at `until`.
    pub(super) fn leave(
        &mut self,
        at: Instant,
        until: Instant,
        thread: ThreadId,
        going: Going,
    ) -> Option<Switch> {
        let done = self.commit(at);
        match &mut self.next {
            // It never came to have it; what is there leaves for another.
            Some((_, next)) if *next == thread => *next = ThreadId::IDLE,
            _ => {
                self.going = going;
                self.next = Some((until, ThreadId::IDLE));
            }
        }
        done
    }

    /// A thread is ready. If it is still to leave this processor, it will leave it as one that is.
    pub(super) fn is_ready(&mut self, at: Instant, thread: ThreadId) -> Option<Switch> {
        let done = self.commit(at);
        if self.current == thread && self.next.is_some() {
            self.going = Going::StaysReady;
        }
        done
    }

    /// A thread goes to another processor. If it is still to leave this one, because its wait was
    /// over before its call was, it leaves now: on a simulated machine it can be on both for the
    /// rest of the call, which no trace can say.
    pub(super) fn is_left_by(&mut self, thread: ThreadId, at: Instant) -> Option<Switch> {
        if self.current != thread {
            return None;
        }
        if let Some((from, _)) = &mut self.next {
            *from = at.min(*from);
        }
        self.commit(at)
    }

    /// Time is stolen: the switch that is to come, comes so much later.
    pub(super) fn put_off(&mut self, at: Instant, length: Duration) -> Option<Switch> {
        let done = self.commit(at);
        if let Some((from, _)) = &mut self.next {
            *from += length;
        }
        done
    }

    /// The switch that was to come by this instant has come.
    pub(super) fn commit(&mut self, by: Instant) -> Option<Switch> {
        let (at, next) = self.next.take_if(|(from, _)| *from <= by)?;
        let (previous, going) = (self.current, self.going);
        self.current = next;
        self.going = Going::Waits;
        let is_switch = previous != next;
        is_switch.then_some(Switch {
            at,
            previous,
            going,
            next,
        })
    }

    /// An interrupt comes, by the record of this number: when it is served. It waits for the one
    /// before it, and softirqs wait for both: what has not begun follows this record.
    pub(super) fn interrupt(
        &mut self,
        at: Instant,
        length: Duration,
        order: usize,
    ) -> (Instant, Instant) {
        let from = at.max(self.interrupts_until);
        self.interrupts_until = from + length;
        for softirq in &mut self.softirqs {
            if softirq.from > at {
                softirq.from += length;
                softirq.order = order;
            }
            if softirq.to > at {
                softirq.to += length;
            }
        }
        if self.softirqs_until > at {
            self.softirqs_until += length;
        }
        (from, self.interrupts_until)
    }

    /// Work is deferred: it waits for interrupts and for the work before it. Interrupts may yet put
    /// it off.
    pub(super) fn defer(&mut self, at: Instant, length: Duration, order: usize, source: usize) {
        let from = at.max(self.interrupts_until).max(self.softirqs_until);
        let to = from + length;
        self.softirqs_until = to;
        self.softirqs.push_back(Softirq {
            order,
            from,
            to,
            source,
        });
    }

    /// Softirqs that were done by an instant: its record's number, from, to and source.
    pub(super) fn serve(
        &mut self,
        by: Instant,
    ) -> impl Iterator<Item = (usize, Instant, Instant, usize)> + use<> {
        let done = self.softirqs.partition_point(|softirq| softirq.to <= by);
        let done: Vec<_> = self.softirqs.drain(..done).collect();
        done.into_iter()
            .map(|done| (done.order, done.from, done.to, done.source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: ThreadId = ThreadId(8);
    const SECOND: ThreadId = ThreadId(12);

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    fn nanos(nanos: u64) -> Duration {
        Duration::from_nanos(nanos)
    }

    #[test]
    fn a_switch_comes_when_the_call_before_it_and_what_was_stolen_are_served() {
        let mut processor = Processor::default();
        assert_eq!(processor.turn_to(at(5), at(5), FIRST), None);
        assert!(processor.has(FIRST));
        let entered = processor.leave(at(100), at(110), FIRST, Going::Waits);
        let switch = |at, previous, going, next| Switch {
            at,
            previous,
            going,
            next,
        };
        let first = switch(at(5), ThreadId::IDLE, Going::Waits, FIRST);
        assert_eq!(entered, Some(first));
        assert!(!processor.has(FIRST), "it left");
        assert_eq!(processor.turn_to(at(100), at(110), SECOND), None);
        assert_eq!(processor.put_off(at(105), nanos(20)), None);
        let second = switch(at(130), FIRST, Going::Waits, SECOND);
        assert_eq!(processor.commit(at(200)), Some(second));
    }

    #[test]
    fn a_thread_that_never_got_its_processor_leaves_no_switch() {
        let mut processor = Processor::default();
        processor.turn_to(at(5), at(50), FIRST);
        let going = Going::StaysReady;
        assert_eq!(processor.leave(at(10), at(10), FIRST, going), None);
        assert_eq!(processor.turn_to(at(10), at(50), SECOND), None);
        let switch = processor.commit(at(60)).unwrap();
        assert_eq!((switch.previous, switch.next), (ThreadId::IDLE, SECOND));
    }

    #[test]
    fn an_interrupt_puts_a_softirq_off_and_not_the_other_way_round() {
        let mut processor = Processor::default();
        processor.defer(at(10), nanos(50), 1, 0);
        assert_eq!(processor.interrupt(at(20), nanos(5), 2), (at(20), at(25)));
        processor.defer(at(30), nanos(1), 3, 1);
        let served: Vec<_> = processor.serve(at(65)).collect();
        assert_eq!(served, [(1, at(10), at(65), 0)]);
        let served: Vec<_> = processor.serve(Instant::MAX).collect();
        assert_eq!(served, [(3, at(65), at(66), 1)]);
    }

    #[test]
    fn work_that_had_not_begun_begins_after_the_interrupt_that_puts_it_off() {
        let mut processor = Processor::default();
        processor.interrupt(at(10), nanos(5), 1);
        processor.defer(at(11), nanos(2), 2, 0);
        assert_eq!(processor.interrupt(at(12), nanos(5), 3), (at(15), at(20)));
        let served: Vec<_> = processor.serve(Instant::MAX).collect();
        assert_eq!(served, [(3, at(20), at(22), 0)]);
    }
}
