//! What happened in a run, in the order in which it happened.

use super::program::{EndedBy, Every};
use punctual::Window;
use punctual::driver::{Cancellation, Counters};
use punctual::{Instant, Tick, Wake};
use punctual_sim::faults::Calls;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// All simulated threads share one thread of the host, and switch only in calls. So the order is exact:
/// what is noted before a call happened before it.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<What>>>);

impl Log {
    pub fn note(&self, what: What) {
        self.0.lock().unwrap().push(what);
    }

    pub fn take(&self) -> Vec<What> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Timers, and waits together with rings, are numbered. `at` is a reading of the clock by the thread that writes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum What {
    /// One that comes soon chooses its window itself, from this one on.
    Insert {
        timer: usize,
        window: Window,
        soon: bool,
        repeats: Option<Every>,
        at: Instant,
    },
    Inserted {
        timer: usize,
        is_taken: bool,
    },
    /// A callback is called.
    Called {
        timer: usize,
        window: Window,
        woke: Instant,
    },
    Ticked {
        timer: usize,
        tick: Tick,
    },
    /// The call is over.
    Ended {
        timer: usize,
        goes_on: bool,
        at: Instant,
    },
    /// The callback is dropped.
    Dropped {
        timer: usize,
    },
    Cancel {
        timer: usize,
    },
    Cancelled {
        timer: usize,
        result: Cancellation,
    },
    Move {
        timer: usize,
        window: Window,
        at: Instant,
    },
    Moved {
        timer: usize,
        is_moved: bool,
        at: Instant,
    },
    Retune {
        timer: usize,
        every: Every,
    },
    Retuned {
        timer: usize,
        is_tuned: bool,
        at: Instant,
    },

    Sleep {
        wait: usize,
        actor: usize,
        window: Window,
        ended_by: EndedBy,
        at: Instant,
    },
    Slept {
        wait: usize,
        /// How long before the end of its window the system was asked to wake the thread.
        margin: Duration,
        end: Option<Wake>,
        calls: Calls,
        at: Instant,
    },
    Ticker {
        wait: usize,
        every: Every,
        start: Option<Instant>,
        cancel: Option<usize>,
        at: Instant,
    },
    TickOf {
        wait: usize,
        tick: Option<Tick>,
        calls: Calls,
        at: Instant,
    },
    RingCancel {
        ring: usize,
        cancel: usize,
    },
    RungCancel {
        ring: usize,
        cancel: usize,
        at: Instant,
    },
    ResetCancel {
        cancel: usize,
    },
    WasReset {
        cancel: usize,
    },
    RingNotify {
        ring: usize,
        actor: usize,
    },
    RungNotify {
        ring: usize,
        actor: usize,
        at: Instant,
    },

    Await {
        wait: usize,
        window: Window,
        limit: Option<Instant>,
        at: Instant,
    },
    Awaited {
        wait: usize,
        end: Awaited,
        at: Instant,
    },

    /// A timer of a thread's own queue, by when it was due and when it was taken.
    Popped {
        window: Window,
        at: Instant,
    },
    /// How many a thread's own queue had left that should be empty.
    Left {
        timers: usize,
    },

    /// How many the driver says that wait, just after the line before.
    Count,
    Counted {
        len: usize,
    },

    ShutDown {
        at: Instant,
    },
    IsShutDown,
    /// A thread panicked.
    Broken {
        actor: usize,
    },
    Refused {
        actor: usize,
    },
    /// A driver's thread has served it.
    Served {
        calls: Calls,
    },
    Over {
        counters: Counters,
        len: usize,
        at: Instant,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    Ready(Instant),
    TimedOut,
    ShutDown,
}
