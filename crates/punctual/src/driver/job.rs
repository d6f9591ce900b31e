//! The jobs of timers: callbacks and wakers.

use super::repeats::{Repeat, RepeatId, RepeatingCallback};
use crate::{Instant, Key, Tick, Window};
use std::task::Waker;
use std::time::Duration;

/// The argument of a callback of [`Handle::once`](super::Handle::once): its window, and when it was
/// called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Firing {
    /// The window of time in which it should be called.
    pub window: Window,
    /// The reading of the clock just before the call; never before the window.
    pub woke: Instant,
}

impl Firing {
    /// The beginning of its window.
    pub fn deadline(&self) -> Instant {
        self.window.earliest()
    }

    /// How late it came: the time from the deadline until it woke, including any tolerance.
    pub fn lateness(&self) -> Duration {
        self.woke - self.deadline()
    }

    /// How long after the end of its window it came; zero within the window.
    pub fn excess(&self) -> Duration {
        self.woke - self.window.latest()
    }
}

pub(super) type OnceCallback = Box<dyn FnOnce(Firing) + Send>;

/// Names a job of one queue, once and for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Timer(Key),
    Repeat(RepeatId),
    /// One that never comes, past the end of time.
    Never,
}

/// The result of cancelling a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cancellation {
    /// It was waiting. It has been dropped and will not be called again.
    Prevented,
    /// It is being called at this moment, by the driver's thread, or it cancels itself. This call
    /// finishes and is the last.
    UnderWay,
    /// It had already been called for the last time, cancelled, or dropped.
    TooLate,
}

/// What is done when a timer fires.
pub(super) enum Job {
    Once(OnceCallback),
    /// Once, and as soon as possible: it has no deadline to miss.
    Soon(OnceCallback),
    Wake(Waker),
    Repeat(RepeatId),
}

/// A job whose time has come, out of the lock.
pub(super) enum Due {
    Once(OnceCallback, Firing),
    Repeat(RepeatId, RepeatingCallback, Tick),
    /// Its schedule ended with time.
    Ended(Repeat),
}
