//! The jobs of timers: callbacks and wakers.

use super::repeats::RepeatId;
use crate::timers::{Key, Window};
use crate::{Instant, Period, Schedule, Tick};
use std::ops::ControlFlow;
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
pub(super) type RepeatingCallback = Box<dyn FnMut(Tick) -> ControlFlow<()> + Send>;

/// Names a job of one queue, once and for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Timer(Key),
    Repeat(RepeatId),
    /// One that never comes, past the end of time.
    Never,
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

/// A callback that is called once a period.
pub(super) struct Repeat {
    schedule: Schedule,
    tolerance: Duration,
    /// Whether the next deadline had passed before its turn.
    overdue: bool,
    /// Whether the next tick has no deadline to miss: it comes as soon as possible.
    is_soon: bool,
    /// Taken out while it is called.
    callback: Option<RepeatingCallback>,
}

impl Repeat {
    pub(super) fn new(
        schedule: Schedule,
        tolerance: Duration,
        callback: RepeatingCallback,
    ) -> Self {
        Self {
            schedule,
            tolerance,
            overdue: false,
            is_soon: false,
            callback: Some(callback),
        }
    }

    /// The first tick comes as soon as possible.
    pub(super) fn beginning_soon(mut self) -> Self {
        self.is_soon = true;
        self
    }

    /// When the next tick may come, seen from `now`; `None` past the end of 64-bit time.
    pub(super) fn next_window(&mut self, now: Instant) -> Option<Window> {
        self.overdue = self.schedule.next_deadline()? <= now;
        self.window()
    }

    /// When the next tick may come.
    pub(super) fn window(&self) -> Option<Window> {
        let deadline = self.schedule.next_deadline()?;
        let tolerance = if self.is_soon {
            Duration::ZERO
        } else {
            self.tolerance
        };
        Some(Window::tolerating(deadline, tolerance))
    }

    pub(super) fn is_soon(&self) -> bool {
        self.is_soon
    }

    /// Takes the tick whose turn has come, and the callback to be called for it.
    pub(super) fn take_tick(&mut self, now: Instant) -> Option<(Tick, RepeatingCallback)> {
        let tick = if self.overdue {
            self.schedule.overdue_tick(now)
        } else {
            self.schedule.tick(now)
        };
        self.is_soon = false;
        Some((tick?, self.callback.take()?))
    }

    pub(super) fn put_back(&mut self, callback: RepeatingCallback) {
        self.callback = Some(callback);
    }

    /// Starts the schedule again, at the beginning of this window and with its tolerance.
    pub(super) fn restart(&mut self, window: Window) {
        self.schedule.restart(window.earliest());
        self.tolerance = window.latest() - window.earliest();
        (self.overdue, self.is_soon) = (false, false);
    }

    /// Keeps another period from `now` on.
    pub(super) fn set_period(&mut self, now: Instant, period: Period) {
        self.schedule.set_period(now, period);
    }
}
