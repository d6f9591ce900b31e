//! The kernel, which a model of an operating system works with, and the trait of such a model.

use crate::Error;
use crate::engine::{EventId, EventQueue};
use crate::error::Exit;
use crate::processes::{ProcessId, Processes};
use crate::processor::{NoiseState, Processor};
use crate::random::{Random, nanos};
use crate::ready::{self, ReadyQueues};
use crate::record::{Log, What};
use crate::setup::{Limits, Setup};
use crate::thread::{Ended, NOBODY, Reason, State, ThreadId, Threads, Waiter};
use punctual::Instant;
use std::time::Duration;

/// A model of an operating system on the engine: its objects and its timers.
///
/// The engine owns time, threads, processes and processors. The model owns everything to which a
/// program can have a handle. A program makes a [`call`](crate::call()) with a closure, which gets the
/// model and the [`Kernel`] and is the inside of a system call. The engine calls the model for the
/// events that it scheduled, and when threads and processes end.
///
/// No method may run simulated code, block, or keep its arguments.
pub trait Model: Sized + 'static {
    /// An event that the model schedules: a timer expiry, a clock interrupt.
    type Event;
    /// The result of a wait that does not time out.
    type Wake: Copy;

    /// Handles a scheduled event, at [`Kernel::now`].
    fn event(&mut self, kernel: &mut Kernel<Self>, event: Self::Event);

    /// Announces that a thread that waits for this will probably run soon, so that its object can be
    /// fetched into the host's caches. This must not change the simulation.
    fn expect(&self, reason: &Reason) {
        let _ = reason;
    }

    /// Handles the end of a thread: signals its handle.
    fn thread_ended(&mut self, kernel: &mut Kernel<Self>, thread: ThreadId) {
        let _ = (kernel, thread);
    }

    /// Handles the end of a process: releases everything that it held. Its threads have already ended.
    fn process_ended(&mut self, kernel: &mut Kernel<Self>, process: ProcessId, exit: &Exit) {
        let _ = (kernel, process, exit);
    }
}

/// The settings of a new thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The priority, from 0 to 31; higher is more urgent.
    pub priority: u8,
    /// A bit for each processor on which it may run.
    pub affinity: u64,
    /// Whether it runs for ever and never wakes another thread, like a load. If only such threads are
    /// left, the machine is in a deadlock.
    pub background: bool,
}

/// The machine below the operating system: time, threads, processes, processors.
///
/// Its methods take effect at once and take no virtual time. A simulated call states its cost with
/// [`charge`](Self::charge).
pub struct Kernel<M: Model> {
    /// Nanoseconds. Instants inside the engine are plain numbers.
    pub(crate) now: u64,
    /// A thread's alarm is the deadline of its wait.
    pub(crate) queue: EventQueue<Event<M::Event>>,
    /// The next resumption, if it comes before everything in the queue. Nearly every wake-up is
    /// followed by its thread's resumption before anything else happens: kept here, that is no
    /// event.
    pub(crate) soon: Option<Soon>,
    /// Whether `soon` may be used: not when ties are scrambled, for it always wins them.
    pub(crate) soon_is_fair: bool,
    /// The thread whose code is running right now, and where; [`NOBODY`] while none is.
    pub(crate) current: u32,
    pub(crate) current_processor: u8,
    /// Time that thread has used and the clock has not yet been moved on by.
    pub(crate) debt: u64,
    /// The thread that made the call under way lost its processor in it.
    pub(crate) must_switch: bool,
    /// Something has ended that is not settled yet.
    pub(crate) has_ended: bool,
    /// Bit `p` is set while processor `p` has nothing to run.
    pub(crate) idle: u64,
    pub(crate) quantum: u64,
    pub(crate) dispatch_cost: u64,
    /// Threads that run or are bound to wake, and what the model has scheduled. At zero nothing can
    /// ever happen again.
    pub(crate) stirring: usize,
    pub(crate) threads: Threads<M::Wake>,
    pub(crate) processors: Vec<Processor>,
    /// Whether noise comes to any processor.
    pub(crate) is_noisy: bool,
    pub(crate) ready: ReadyQueues,
    pub(crate) processes: Processes,
    pub(crate) main: Option<ProcessId>,
    pub(crate) outcome: Option<Result<(), Error>>,
    /// There is an outcome.
    pub(crate) is_over: bool,
    /// Who has ended and is to be reported to the model.
    pub(crate) ended: Vec<End>,
    /// Threads whose coroutines are to be left where they are.
    pub(crate) abandoned: Vec<u32>,
    pub(crate) abandoned_ever: usize,
    pub(crate) wakes: u64,
    pub(crate) log: Log,
    pub(crate) limits: Limits,
    seed: u64,
}

/// The thread on a processor goes on.
#[derive(Clone, Copy)]
pub(crate) struct Soon {
    pub(crate) at: u64,
    pub(crate) processor: u8,
}

pub(crate) enum End {
    Thread(ThreadId),
    Process(ProcessId, Exit),
}

pub(crate) enum Event<E> {
    /// The thread on this processor goes on.
    Resume(u8),
    /// The quantum of the thread on this processor may be over.
    Slice(u8),
    /// Noise on this processor.
    Noise(u8),
    /// The model's own.
    Model(E),
    Interrupt {
        processor: u8,
        length: u64,
        event: E,
    },
    Dpc {
        processor: u8,
        /// The processor's `interrupted_for` when its turn was computed.
        interrupted_for: u64,
        event: E,
    },
    EndOfTime,
}

const NO_CALL: &str = "no simulated thread is making a call";

impl<M: Model> Kernel<M> {
    pub(crate) fn new(setup: &Setup) -> Self {
        let mut queue = EventQueue::new(setup.ties);
        queue.insert(setup.limits.time, Event::EndOfTime);
        let processors: Vec<_> = (0..setup.processors as u64)
            .map(|number| {
                let random = Random::stream(setup.seed, number);
                Processor::new(NoiseState::new(&setup.noise, random))
            })
            .collect();
        Self {
            now: 0,
            soon: None,
            soon_is_fair: queue.is_fifo(),
            queue,
            current: NOBODY,
            current_processor: 0,
            debt: 0,
            must_switch: false,
            has_ended: false,
            idle: u64::MAX >> (64 - setup.processors),
            quantum: setup.quantum.map_or(u64::MAX, nanos),
            dispatch_cost: nanos(setup.dispatch_cost),
            stirring: 0,
            threads: Threads::new(setup.limits.threads),
            is_noisy: processors.iter().any(|processor| processor.noise.is_some()),
            processors,
            ready: ReadyQueues::new(),
            processes: Processes::new(setup.limits.processes),
            main: None,
            outcome: None,
            is_over: false,
            ended: Vec::new(),
            abandoned: Vec::new(),
            abandoned_ever: 0,
            wakes: 0,
            log: Log::new(setup.limits.log),
            limits: setup.limits.clone(),
            seed: setup.seed,
        }
    }

    /// The present virtual time.
    #[inline]
    pub fn now(&self) -> Instant {
        Instant::from_nanos(self.now)
    }

    /// The number of processors. They are numbered from zero.
    pub fn processors(&self) -> usize {
        self.processors.len()
    }

    /// A stream of random numbers for one purpose, which the caller numbers. The engine itself uses the
    /// numbers of the processors, 0 to 63.
    pub fn random(&self, purpose: u64) -> Random {
        Random::stream(self.seed, purpose)
    }

    // Scheduling what is to happen.

    /// Schedules an event that takes no processor time.
    pub fn schedule(&mut self, at: Instant, event: M::Event) -> EventId {
        self.stirring += 1;
        self.queue.insert(self.not_past(at), Event::Model(event))
    }

    /// Schedules an interrupt on one processor. The event happens when the processor has finished the
    /// interrupts before it, and takes `length` of processor time.
    pub fn interrupt(
        &mut self,
        at: Instant,
        processor: usize,
        length: Duration,
        event: M::Event,
    ) -> EventId {
        self.stirring += 1;
        let interrupt = Event::Interrupt {
            processor: self.checked(processor),
            length: nanos(length),
            event,
        };
        self.queue.insert(self.not_past(at), interrupt)
    }

    /// Cancels an event and returns it; `None` if it has happened. The processor time of a deferred call
    /// remains reserved.
    pub fn cancel(&mut self, id: EventId) -> Option<M::Event> {
        let event = match self.queue.cancel(id)? {
            Event::Model(event) | Event::Interrupt { event, .. } | Event::Dpc { event, .. } => {
                event
            }
            _ => unreachable!("the engine keeps the names of its own events to itself"),
        };
        self.stirring -= 1;
        Some(event)
    }

    fn not_past(&self, at: Instant) -> Instant {
        at.max(self.now())
    }

    pub(crate) fn checked(&self, processor: usize) -> u8 {
        let count = self.processors.len();
        assert!(
            processor < count,
            "there is no processor {processor} of {count}"
        );
        u8::try_from(processor).expect("at most 64")
    }

    // The calling thread.

    /// The thread that makes the call under way.
    ///
    /// # Panics
    /// Outside of a call, and in a call after it has blocked or ended its thread.
    pub fn current_thread(&self) -> ThreadId {
        assert!(self.current != NOBODY, "{NO_CALL}");
        self.threads.id(self.current)
    }

    /// The process of the thread that makes the call under way.
    ///
    /// # Panics
    /// As [`current_thread`](Self::current_thread).
    pub fn current_process(&self) -> ProcessId {
        let thread = self.current_thread();
        self.threads.hot[thread.index()].process
    }

    /// The processor on which the call under way is made.
    pub fn current_processor(&self) -> usize {
        usize::from(self.current_processor)
    }

    /// Adds to the cost of the present call, before it blocks. Without this, a call costs a nanosecond.
    #[inline]
    pub fn charge(&mut self, cost: Duration) {
        self.debt = self.debt.saturating_add(nanos(cost));
    }

    /// Blocks the calling thread until it is [woken](Self::wake), or until its deadline if it has one.
    /// The thread stops when the call's closure returns, and [`call_and_wait`](crate::call_and_wait)
    /// returns why the wait ended. The processor pays the cost of the call after the thread has blocked.
    ///
    /// # Panics
    /// As [`current_thread`](Self::current_thread).
    #[inline(always)]
    pub fn block(&mut self, reason: Reason, deadline: Option<Instant>) -> Waiter {
        let index = self.current;
        let Some(thread) = self.threads.hot.get_mut(index as usize) else {
            panic!("{NO_CALL}")
        };
        thread.reason = reason;
        thread.quantum_left = self.quantum;
        thread.state = State::Blocked;
        if let Some(deadline) = deadline {
            thread.state = State::BlockedUntil;
            let now = Instant::from_nanos(self.now);
            self.queue.set(index, deadline.max(now));
        }
        let id = ThreadId {
            index,
            generation: thread.generation,
        };
        let waiter = Waiter {
            thread: id,
            wait: thread.wait,
        };
        if deadline.is_none() && !thread.background {
            self.stirring -= 1;
        }
        if self.log.is_kept() {
            let until = self.end_of_call();
            self.note(What::Blocked {
                thread: id,
                reason,
                until,
            });
        }
        self.leave_current_processor();
        waiter
    }

    /// Whether this wait has not ended yet.
    #[inline]
    pub fn is_waiting(&self, waiter: Waiter) -> bool {
        let thread = self.threads.get(waiter.thread);
        thread.is_some_and(|thread| {
            thread.wait == waiter.wait
                && matches!(thread.state, State::Blocked | State::BlockedUntil)
        })
    }

    /// Ends a wait: its thread becomes ready, and runs when it gets a processor. Returns `false` if the
    /// wait had already ended.
    #[inline(always)]
    pub fn wake(&mut self, waiter: Waiter, result: M::Wake) -> bool {
        if !self.is_waiting(waiter) {
            return false;
        }
        let thread = self.threads.at(waiter.thread.index);
        if thread.state == State::BlockedUntil {
            self.queue.unset(waiter.thread.index);
        } else if !thread.background {
            self.stirring += 1;
        }
        self.end_wait(waiter.thread.index, Ended::Woken(result));
        true
    }

    // The log.

    /// Writes to the log, if one is kept.
    #[inline]
    pub(crate) fn note(&mut self, what: What) {
        if self.log.is_kept() {
            self.log.add(self.now, what);
        }
    }

    /// Writes to the log, if one is kept, that a thread wants a processor.
    #[inline]
    pub(crate) fn note_ready(&mut self, index: u32) {
        if self.log.is_kept() {
            let thread = self.threads.id(index);
            let by = (self.current != NOBODY).then(|| self.threads.id(self.current));
            self.note(What::Ready { thread, by });
        }
    }

    /// When the processor has finished the call under way.
    pub(crate) fn end_of_call(&self) -> Instant {
        Instant::from_nanos(self.now.saturating_add(self.debt.max(1)))
    }
}

impl<M: Model> Kernel<M> {
    /// A thread that wants a processor and finds none queues for one.
    #[inline]
    pub(crate) fn enqueue(&mut self, index: u32, end: ready::End) {
        let thread = self.threads.at(index);
        // Made whole when it leaves the queue: one number to keep instead of two.
        thread.queue_time = thread.queue_time.wrapping_sub(self.now);
        self.ready.add(&mut self.threads.hot, index, end);
    }

    /// A thread leaves the queue it is in.
    #[inline]
    pub(crate) fn dequeue(&mut self, index: u32) {
        let thread = self.threads.at(index);
        thread.queue_time = thread.queue_time.wrapping_add(self.now);
        self.ready.remove(&mut self.threads.hot, index);
    }

    /// How long a thread was ready to run while others had the processors that it may use, unless it
    /// has ended. This excludes the cost of a dispatch and the time that interrupts steal.
    pub fn queue_time(&self, thread: ThreadId) -> Option<Duration> {
        let entry = self.threads.get(thread)?;
        let nanos = match entry.state {
            State::Ready => entry.queue_time.wrapping_add(self.now),
            _ => entry.queue_time,
        };
        Some(Duration::from_nanos(nanos))
    }
}
