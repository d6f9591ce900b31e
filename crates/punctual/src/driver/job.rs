//! What a timer is there for.

use crate::timers::{Key, Window};
use crate::{Instant, Schedule, Tick};
use std::task::Waker;
use std::time::Duration;

/// Names a job of one driver, once and for all: sixty-four bits of numbers are never used up.
pub(super) type JobId = u64;

/// How a callback of [`Handle::once`](super::Handle::once) came to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Firing {
    /// When it was to be.
    pub window: Window,
    /// When it was: never before the window.
    pub woke: Instant,
}

impl Firing {
    /// How long after the end of its window it came; zero within it.
    pub fn lateness(&self) -> Duration {
        self.woke.duration_since(self.window.latest())
    }
}

pub(super) type OnceCallback = Box<dyn FnOnce(Firing) + Send>;
pub(super) type RepeatingCallback = Box<dyn FnMut(Tick) + Send>;

/// A job that is yet to be done. Its timer is in the queue, unless its callback is under way.
pub(super) struct Job {
    pub(super) key: Option<Key>,
    pub(super) what: What,
}

pub(super) enum What {
    Once(OnceCallback),
    Repeat(Repeat),
    Wake(Waker),
}

/// A callback that is called once a period.
pub(super) struct Repeat {
    schedule: Schedule,
    tolerance: Duration,
    /// Whether the next deadline had passed before its turn.
    overdue: bool,
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
            callback: Some(callback),
        }
    }

    /// When the next tick may come, seen from `now`; `None` past the end of 64-bit time.
    pub(super) fn next_window(&mut self, now: Instant) -> Option<Window> {
        let deadline = self.schedule.next_deadline()?;
        self.overdue = deadline <= now;
        Some(Window::tolerating(deadline, self.tolerance))
    }

    /// Takes the tick whose turn has come, and the callback to be called for it.
    pub(super) fn take_tick(&mut self, now: Instant) -> Option<(Tick, RepeatingCallback)> {
        let tick = if self.overdue {
            self.schedule.overdue_tick(now)
        } else {
            self.schedule.tick(now)
        };
        Some((tick?, self.callback.take()?))
    }

    pub(super) fn put_back(&mut self, callback: RepeatingCallback) {
        self.callback = Some(callback);
    }

    /// Starts the schedule again, at the beginning of this window and with its tolerance.
    pub(super) fn restart(&mut self, window: Window) {
        self.schedule.restart(window.earliest());
        self.tolerance = window.latest().duration_since(window.earliest());
        self.overdue = false;
    }
}
