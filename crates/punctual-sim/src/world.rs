//! A running machine: what happens next, and to whom.

use crate::Error;
use crate::coroutine::Coroutines;
use crate::engine::{Due, EventId};
use crate::error::Exit;
use crate::kernel::{End, Event, Kernel, Model};
use crate::processor::StolenTime;
use crate::thread::{Ended, NOBODY};
use punctual::Instant;
use std::any::Any;

/// What the handles of a running machine reach.
pub(crate) struct World<M: Model> {
    pub(crate) kernel: Kernel<M>,
    pub(crate) model: M,
}

/// What is to be done next.
pub(crate) enum Turn {
    /// Resume this thread.
    Run(u32),
    /// Resume this thread for the first time.
    Start(u32),
    /// Nothing: the machine has ended.
    Over,
}

impl<M: Model> World<M> {
    /// Lets events happen until a thread is to run or the machine has ended.
    #[inline(always)]
    pub(crate) fn next(&mut self, coroutines: &mut Coroutines) -> Turn {
        loop {
            if self.kernel.has_ended {
                self.settle_ends(coroutines);
            }
            let kernel = &mut self.kernel;
            if kernel.stirring == 0 || kernel.is_over {
                return Turn::Over;
            }
            if kernel.threads.hot.len() > FIT_IN_CACHES {
                self.look_ahead(coroutines);
            }
            let kernel = &mut self.kernel;
            if let Some(turn) = kernel.resume_soon() {
                return turn;
            }
            let Some((at, due)) = kernel.queue.take() else {
                unreachable!("the end of time is always scheduled")
            };
            kernel.now = at.as_nanos();
            match due {
                Due::Alarm(thread) => {
                    kernel.end_wait(thread, Ended::TimedOut);
                    if let Some(turn) = kernel.resume_soon() {
                        return turn;
                    }
                }
                Due::Event(Event::Resume(processor)) => return kernel.resume(processor),
                Due::Event(event) => self.happen(event),
            }
        }
    }

    #[inline(never)]
    fn happen(&mut self, event: Event<M::Event>) {
        let kernel = &mut self.kernel;
        match event {
            Event::Resume(_) => unreachable!("handled where it was taken"),
            Event::Slice(processor) => kernel.slice_ends(processor),
            Event::Noise(processor) => kernel.noise(processor),
            Event::Model(event) => {
                kernel.stirring -= 1;
                self.model.event(kernel, event);
            }
            Event::Interrupt {
                processor,
                length,
                event,
            } => {
                kernel.catch_up(processor);
                let served = kernel.processors[usize::from(processor)].interrupts_until;
                if served > kernel.now {
                    let interrupt = Event::Interrupt {
                        processor,
                        length,
                        event,
                    };
                    kernel.queue.insert(Instant::from_nanos(served), interrupt);
                    return;
                }
                kernel.steal(processor, StolenTime::Interrupt, length);
                kernel.stirring -= 1;
                self.model.event(kernel, event);
            }
            Event::Dpc {
                processor,
                interrupted_for,
                event,
            } => {
                kernel.catch_up(processor);
                let so_far = kernel.processors[usize::from(processor)].interrupted_for;
                if so_far > interrupted_for {
                    let turn = kernel.now.saturating_add(so_far - interrupted_for);
                    let call = Event::Dpc {
                        processor,
                        interrupted_for: so_far,
                        event,
                    };
                    kernel.queue.insert(Instant::from_nanos(turn), call);
                    return;
                }
                kernel.stirring -= 1;
                self.model.event(kernel, event);
            }
            Event::EndOfTime => {
                let at = Instant::from_nanos(kernel.now);
                kernel.end_run(Err(Error::time_limit(at)));
            }
        }
    }

    pub(crate) fn outcome(&mut self) -> Result<(), Error> {
        let kernel = &mut self.kernel;
        match kernel.outcome.take() {
            Some(outcome) => outcome,
            None => Err(Error::deadlock(
                Instant::from_nanos(kernel.now),
                kernel.waiting(),
            )),
        }
    }

    /// Leaves the stacks of threads that have ended where they are, and tells the model of whoever
    /// has ended, before anything else happens.
    #[cold]
    fn settle_ends(&mut self, coroutines: &mut Coroutines) {
        while self.kernel.has_ended {
            self.kernel.has_ended = false;
            for thread in std::mem::take(&mut self.kernel.abandoned) {
                if coroutines.abandon(thread as usize) && self.kernel.outcome.is_none() {
                    self.kernel.count_abandoned();
                }
            }
            self.tell_ends();
        }
    }

    /// Tells the model of threads and processes that have ended. Only then are their numbers free:
    /// what the model keeps under one is never a later thread's.
    #[cold]
    pub(crate) fn tell_ends(&mut self) {
        while !self.kernel.ended.is_empty() {
            for end in std::mem::take(&mut self.kernel.ended) {
                match end {
                    End::Thread(thread) => {
                        self.model.thread_ended(&mut self.kernel, thread);
                        self.kernel.threads.free(thread.index);
                    }
                    End::Process(process, exit) => {
                        self.model.process_ended(&mut self.kernel, process, &exit);
                        self.kernel.processes.free(process);
                    }
                }
            }
        }
    }

    pub(crate) fn returned(&mut self, thread: u32) {
        let process = self.kernel.threads.at(thread).process;
        let main = self
            .kernel
            .processes
            .get(process)
            .map(|process| process.main);
        if main == Some(thread) {
            self.kernel.end(process, Exit::Returned);
        } else {
            self.kernel.end_thread(thread);
        }
        self.kernel.must_switch = false;
    }

    pub(crate) fn panicked(&mut self, thread: u32, panic: &(dyn Any + Send)) {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let process = self.kernel.threads.at(thread).process;
        let exit = Exit::Panicked {
            thread: self.kernel.threads.cold[thread as usize].name.clone(),
            message: text.unwrap_or_else(|| "no message".to_owned()),
        };
        self.kernel.end(process, exit);
        self.kernel.must_switch = false;
    }
}

/// Threads whose stacks' ends and records a near cache of the host holds: 256 of 1 KiB each.
const FIT_IN_CACHES: usize = 256;

impl<M: Model> World<M> {
    /// Has what the next threads to run will look at fetched into the host's caches, while it is
    /// still another's turn: of the next but one, what says where things are; of the next, those.
    #[inline(never)]
    fn look_ahead(&self, coroutines: &Coroutines) {
        let kernel = &self.kernel;
        let (next, next_but_one) = kernel.likely_next();
        kernel.queue.expect(next_but_one);
        kernel.threads.expect(next_but_one);
        coroutines.expect(next_but_one as usize);
        coroutines.expect_stack(next as usize);
        if let Some(next) = kernel.threads.hot.get(next as usize) {
            self.model.expect(&next.reason);
        }
    }
}

impl<M: Model> Kernel<M> {
    /// Who waits for what: for the report of a deadlock.
    fn waiting(&self) -> Vec<String> {
        let foreground = self
            .threads
            .living()
            .filter(|(_, thread)| !thread.background);
        foreground
            .map(|(index, thread)| {
                let name = &self.threads.cold[index as usize].name;
                let process = self.processes.get(thread.process);
                let process = process.map_or("", |process| &process.name);
                format!(
                    "thread {name:?} of process {process:?} waits for {}",
                    thread.reason
                )
            })
            .collect()
    }

    /// The threads that will probably run after the one whose turn begins, or [`NOBODY`].
    #[inline]
    fn likely_next(&self) -> (u32, u32) {
        let first_ready = self.ready.head();
        if let Some(thread) = self.threads.hot.get(first_ready as usize) {
            return (first_ready, thread.next);
        }
        let alarm = |others| match self.queue.ahead(others) {
            Some(Due::Alarm(thread)) => thread,
            _ => NOBODY,
        };
        (alarm(1), alarm(2))
    }

    /// The next resumption, if nothing comes before it.
    #[inline(always)]
    fn resume_soon(&mut self) -> Option<Turn> {
        let soon = self.soon?;
        if soon.at > self.queue.nothing_before().as_nanos() {
            return None;
        }
        self.soon = None;
        self.now = soon.at;
        Some(self.resume(soon.processor))
    }

    /// The thread on this processor goes on.
    #[inline]
    fn resume(&mut self, number: u8) -> Turn {
        let processor = &mut self.processors[usize::from(number)];
        processor.resume = EventId::NONE;
        let index = processor.running;
        let thread = self.threads.at(index);
        thread.work = 0;
        thread.spin_until = 0;
        self.current = index;
        self.current_processor = number;
        debug_assert_ne!(index, NOBODY);
        if std::mem::replace(&mut thread.unstarted, false) {
            Turn::Start(index)
        } else {
            Turn::Run(index)
        }
    }
}
