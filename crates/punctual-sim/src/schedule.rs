//! Who runs: dispatch, preemption, quanta. Ready is not running.

use crate::engine::EventId;
use crate::kernel::{Event, Kernel, Model, Soon};
use crate::ready::End;
use crate::record::What;
use crate::thread::{Ended, NOBODY, State, Thread, ThreadId};
use punctual::Instant;

impl<M: Model> Kernel<M> {
    /// Ends a wait, whose deadline is no longer scheduled, and makes its thread ready.
    #[inline(always)]
    pub(crate) fn end_wait(&mut self, index: u32, ended: Ended<M::Wake>) {
        self.wakes += 1;
        self.note_ready(index);
        let thread = self.threads.at(index);
        thread.wait += 1;
        thread.ended = ended;
        thread.state = State::Ready;
        let (last, affinity) = (thread.processor, thread.affinity);
        self.find_processor(index, last, affinity);
    }

    /// A thread wants a processor.
    pub(crate) fn make_ready(&mut self, index: u32) {
        self.note_ready(index);
        let thread = self.threads.at(index);
        let (last, affinity) = (thread.processor, thread.affinity);
        self.find_processor(index, last, affinity);
    }

    /// Finds a processor for a thread that wants one: an idle one, the one it last had if it can be
    /// chosen; else that of the least urgent thread, if that is less urgent than this one; else
    /// none, and it queues.
    #[inline(always)]
    fn find_processor(&mut self, index: u32, last: u8, affinity: u64) {
        let idle = self.idle & affinity;
        if idle >> last & 1 == 1 {
            self.dispatch(last, index);
        } else if idle != 0 {
            self.dispatch(lowest_bit(idle), index);
        } else {
            self.preempt_or_queue(index);
        }
    }

    fn preempt_or_queue(&mut self, index: u32) {
        let thread = &self.threads.hot[index as usize];
        let (priority, affinity, last) = (thread.priority, thread.affinity, thread.processor);
        let mut victim = None;
        for (number, processor) in (0_u8..).zip(&self.processors) {
            let Some(running) = self.threads.hot.get(processor.running as usize) else {
                continue;
            };
            if affinity >> number & 1 == 1 && running.priority < priority {
                let rank = (running.priority, number != last, number);
                victim = victim.min(Some(rank)).or(Some(rank));
            }
        }
        if let Some((_, _, processor)) = victim {
            self.take_off(processor, End::Head);
            self.dispatch(processor, index);
            return;
        }
        self.enqueue(index, End::Tail);
        if self.quantum != u64::MAX {
            self.share_processors(priority, affinity);
        }
    }

    /// Something of this priority waits for its turn: quanta matter now.
    fn share_processors(&mut self, priority: u8, affinity: u64) {
        for number in 0..self.processors.len() {
            let running = self.processors[number].running;
            let running = self.threads.hot.get(running as usize);
            let equal = running.is_some_and(|running| running.priority == priority);
            if equal && affinity >> number & 1 == 1 {
                #[expect(clippy::cast_possible_truncation, reason = "at most 64 processors")]
                self.schedule_slice(number as u8);
            }
        }
    }

    /// Gives an idle processor to a thread that is ready and in no queue.
    #[inline(always)]
    fn dispatch(&mut self, number: u8, index: u32) {
        self.catch_up(number);
        self.idle &= !(1 << number);
        let thread = &mut self.threads.hot[index as usize];
        let processor = &mut self.processors[usize::from(number)];
        thread.state = State::Running;
        thread.processor = number;
        let start = self
            .now
            .max(processor.free_from)
            .max(processor.stolen_until());
        processor.since = start.saturating_add(self.dispatch_cost);
        processor.busy_until = processor.since.saturating_add(thread.work);
        processor.slice_end = processor.since.saturating_add(thread.quantum_left);
        processor.running = index;
        let goes_on = processor.busy_until.max(thread.spin_until);
        let priority = thread.priority;
        self.schedule_resumption(number, goes_on);
        if self.is_noisy {
            self.schedule_noise(number);
        }
        if self.ready.any_from(priority) {
            self.schedule_slice(number);
        }
        if self.log.is_kept() {
            let thread = self.threads.id(index);
            let (processor, from) = (usize::from(number), Instant::from_nanos(start));
            self.note(What::Dispatched {
                thread,
                processor,
                from,
            });
        }
    }

    /// The calling thread has blocked or ended: the processor finishes its call, then runs another.
    #[inline(always)]
    pub(crate) fn leave_current_processor(&mut self) {
        let number = self.current_processor;
        let index = std::mem::replace(&mut self.current, NOBODY);
        self.must_switch = true;
        // At least a nanosecond: a loop of waits that end at once must take time.
        let debt = std::mem::replace(&mut self.debt, 0).max(1);
        let until = self.now.saturating_add(debt);
        let processor = &mut self.processors[usize::from(number)];
        debug_assert_eq!(processor.running, index);
        processor.free_from = until;
        processor.running = NOBODY;
        let had = until.saturating_sub(processor.since);
        self.idle |= 1 << number;
        self.threads.at(index).processor_time += had;
        if !self.ready.is_empty() {
            self.run_next(number);
        }
    }

    /// Takes the thread off a processor, whose resumption is no longer scheduled, and gives the
    /// processor to the next.
    #[inline(always)]
    pub(crate) fn leave_processor(&mut self, number: u8) {
        self.vacate(number);
        if !self.ready.is_empty() {
            self.run_next(number);
        }
    }

    /// Gives an idle processor to the first that may have it.
    #[inline(never)]
    fn run_next(&mut self, number: u8) {
        if let Some(next) = self.ready.first(&self.threads.hot, number) {
            self.dequeue(next);
            self.dispatch(number, next);
        }
    }

    #[inline(always)]
    fn vacate(&mut self, number: u8) {
        let processor = &mut self.processors[usize::from(number)];
        let index = std::mem::replace(&mut processor.running, NOBODY);
        let until = self.now.max(processor.free_from);
        let had = until.saturating_sub(processor.since);
        self.idle |= 1 << number;
        self.threads.at(index).processor_time += had;
    }

    /// Takes a thread off its processor before it is done, and queues it.
    fn take_off(&mut self, number: u8, end: End) {
        let processor = &mut self.processors[usize::from(number)];
        let index = processor.running;
        let now = self.now;
        let mut quantum_left = processor.slice_end.saturating_sub(now);
        let progress_from = now.max(processor.stolen_until()).max(processor.free_from);
        let mut work = processor.busy_until.saturating_sub(progress_from);
        self.cancel_resumption(number);
        if self.current == index {
            work = std::mem::replace(&mut self.debt, 0).max(1);
            self.current = NOBODY;
            self.must_switch = true;
        }
        let mut end = end;
        if quantum_left == 0 || end == End::Tail {
            (quantum_left, end) = (self.quantum, End::Tail);
        }
        self.vacate(number);
        let thread = self.threads.at(index);
        thread.work = work;
        thread.quantum_left = quantum_left;
        thread.state = State::Ready;
        self.enqueue(index, end);
        if self.log.is_kept() {
            let thread = self.threads.id(index);
            let processor = usize::from(number);
            self.note(What::Preempted { thread, processor });
        }
    }

    /// Sees to it that the quantum of the thread on this processor ends in time.
    fn schedule_slice(&mut self, number: u8) {
        if self.quantum == u64::MAX {
            return;
        }
        let processor = &mut self.processors[usize::from(number)];
        if processor.slice_end < self.now {
            // Quanta that went by while nothing else wanted the processor.
            let gone_by = (self.now - processor.slice_end).div_ceil(self.quantum);
            processor.slice_end = processor.slice_end.saturating_add(gone_by * self.quantum);
        }
        if processor.slice_at <= processor.slice_end {
            // The one that is scheduled comes no later; it will look again.
            return;
        }
        self.queue.cancel(processor.slice);
        let at = Instant::from_nanos(processor.slice_end);
        processor.slice_at = processor.slice_end;
        processor.slice = self.queue.insert(at, Event::Slice(number));
    }

    /// The quantum of the thread on this processor may be over.
    pub(crate) fn slice_ends(&mut self, number: u8) {
        let processor = &mut self.processors[usize::from(number)];
        processor.slice_at = u64::MAX;
        let (running, slice_end) = (processor.running, processor.slice_end);
        let Some(running) = self.threads.hot.get(running as usize) else {
            return;
        };
        if !self.ready.any_from(running.priority) {
            return;
        }
        let priority = running.priority;
        if slice_end > self.now {
            self.schedule_slice(number);
            return;
        }
        if !self.give_way(number, priority) {
            // Those who wait may not run here.
            let processor = &mut self.processors[usize::from(number)];
            processor.slice_end = self.now.saturating_add(self.quantum);
        }
    }

    /// Gives the calling thread's processor to the first thread that is ready, may run there and is
    /// as urgent or more; the caller queues behind all others of its priority, with a whole quantum.
    /// Returns whether there was one. What the caller owes is to be charged before.
    ///
    /// # Panics
    /// Outside of a call.
    pub fn yield_processor(&mut self) -> bool {
        let thread = self.current_thread();
        let priority = self.threads.at(thread.index).priority;
        let number = self.current_processor;
        self.give_way(number, priority)
    }

    /// Gives a processor to the first thread that is ready, may run there and is at least as urgent
    /// as this priority. Returns whether there was one.
    fn give_way(&mut self, number: u8, priority: u8) -> bool {
        let next = self.ready.first(&self.threads.hot, number);
        let next = next.filter(|next| self.threads.hot[*next as usize].priority >= priority);
        if let Some(next) = next {
            self.dequeue(next);
            self.take_off(number, End::Tail);
            self.dispatch(number, next);
        }
        next.is_some()
    }

    /// Changes what decides a thread's place, and puts it there.
    pub(crate) fn requeue(&mut self, id: ThreadId, change: impl FnOnce(&mut Thread<M::Wake>)) {
        let Some(thread) = self.threads.get(id) else {
            return;
        };
        let (state, processor) = (thread.state, thread.processor);
        if state == State::Ready {
            self.dequeue(id.index);
        }
        change(self.threads.at(id.index));
        match state {
            State::Ready => self.make_ready(id.index),
            State::Running => self.reconsider(processor),
            State::Unused | State::Blocked | State::BlockedUntil => {}
        }
    }

    /// The thread on this processor may no longer be the one to run there.
    fn reconsider(&mut self, number: u8) {
        let running = self.processors[usize::from(number)].running;
        let thread = &self.threads.hot[running as usize];
        let may_stay = thread.affinity >> number & 1 == 1;
        let priority = thread.priority;
        let next = self.ready.first(&self.threads.hot, number);
        let next =
            next.filter(|next| !may_stay || self.threads.hot[*next as usize].priority > priority);
        if may_stay && next.is_none() {
            if self.ready.any_from(priority) {
                self.schedule_slice(number);
            }
            return;
        }
        self.take_off(number, End::Head);
        if let Some(next) = next {
            self.dequeue(next);
            self.dispatch(number, next);
        }
        // The one that lost its processor may be better off than others that run.
        self.dequeue(running);
        self.make_ready(running);
    }

    /// The thread on this processor is to go on at an instant.
    #[inline(always)]
    pub(crate) fn schedule_resumption(&mut self, number: u8, at: u64) {
        let at_instant = Instant::from_nanos(at);
        if self.soon.is_none() && self.soon_is_fair && at_instant < self.queue.nothing_before() {
            self.soon = Some(Soon {
                at,
                processor: number,
            });
        } else {
            let resume = self.queue.insert(at_instant, Event::Resume(number));
            self.processors[usize::from(number)].resume = resume;
        }
    }

    /// The thread on this processor is not to go on when it was to. Returns whether it was to.
    pub(crate) fn cancel_resumption(&mut self, number: u8) -> bool {
        if self.soon.is_some_and(|soon| soon.processor == number) {
            self.soon = None;
            return true;
        }
        let processor = &mut self.processors[usize::from(number)];
        let resume = std::mem::replace(&mut processor.resume, EventId::NONE);
        self.queue.cancel(resume).is_some()
    }

    /// Nothing happens before this instant.
    #[inline]
    pub(crate) fn nothing_before(&self) -> u64 {
        let in_queue = self.queue.nothing_before().as_nanos();
        match self.soon {
            Some(soon) => soon.at.min(in_queue),
            None => in_queue,
        }
    }
}

fn lowest_bit(bits: u64) -> u8 {
    u8::try_from(bits.trailing_zeros()).expect("at most 64")
}
