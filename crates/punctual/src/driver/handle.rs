//! What every thread can ask of a driver.

use super::counters::Counters;
use super::future::{Sleep, Ticks};
use super::job::{Firing, Repeat, What};
use super::shared::Shared;
use super::{ShutDown, Timer};
use crate::os::{Native, Os};
use crate::timers::Window;
use crate::{Period, Schedule, Tick};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Gives timers to a [`Driver`](super::Driver), from any thread and from its own callbacks.
///
/// Nothing here waits for a callback: the queue is locked for as long as it takes to change it. The
/// driver's thread is woken only when what is inserted comes before everything it sleeps for.
pub struct Handle<O: Os = Native> {
    pub(super) shared: Arc<Shared<O>>,
}

impl<O: Os> Handle<O> {
    /// Has a callback called once, on the driver's thread, within a window (an
    /// [`Instant`](crate::Instant) alone is an exact deadline). One that lies in the past is called
    /// at once.
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    ///
    /// ```
    /// use punctual::{Driver, Native, Os, timers::Window};
    /// use std::sync::mpsc;
    /// use std::time::Duration;
    ///
    /// let driver = Driver::new().start()?;
    /// let (sender, receiver) = mpsc::channel();
    /// let deadline = Native::new().now() + Duration::from_millis(1);
    /// let window = Window::tolerating(deadline, Duration::from_millis(1));
    /// driver.handle().once(window, move |firing| sender.send(firing.woke).unwrap())?;
    /// assert!(receiver.recv()? >= deadline);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn once(
        &self,
        window: impl Into<Window>,
        callback: impl FnOnce(Firing) + Send + 'static,
    ) -> Result<Timer<O>, ShutDown> {
        self.add(What::Once(Box::new(callback)), Some(window.into()))
    }

    /// Has a callback called now and once a period from now on. It is [`repeat`](Self::repeat) with
    /// a schedule that begins now, skips what it misses, and tolerates nothing.
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    pub fn every(
        &self,
        period: Period,
        callback: impl FnMut(Tick) + Send + 'static,
    ) -> Result<Timer<O>, ShutDown> {
        let schedule = Schedule::new(self.os().now(), period);
        self.repeat(schedule, Duration::ZERO, callback)
    }

    /// Has a callback called for each tick of a schedule, up to `tolerance` after its deadline.
    ///
    /// The schedule never drifts, however late ticks come. If a deadline has passed when the call before it
    /// returns, the schedule's policy says what becomes of the periods that were missed. So a
    /// tolerance of a period or more makes it miss some.
    ///
    /// A callback that panics is not called again.
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    pub fn repeat(
        &self,
        schedule: Schedule,
        tolerance: Duration,
        callback: impl FnMut(Tick) + Send + 'static,
    ) -> Result<Timer<O>, ShutDown> {
        let mut repeat = Repeat::new(schedule, tolerance, Box::new(callback));
        let window = repeat.next_window(self.os().now());
        self.add(What::Repeat(repeat), window)
    }

    /// A future that is ready within a window, from its beginning on.
    ///
    /// It needs no executor of a certain kind, is asked of the driver when it is first polled, and
    /// is cancelled when it is dropped.
    pub fn sleep_until(&self, window: impl Into<Window>) -> Sleep<O> {
        Sleep::new(self.clone(), window.into())
    }

    /// As [`sleep_until`](Self::sleep_until) an exact deadline, measured from this call.
    pub fn sleep(&self, duration: Duration) -> Sleep<O> {
        self.sleep_until(self.os().now() + duration)
    }

    /// Ticks to be awaited, the first of them now. It is [`ticks`](Self::ticks) with a schedule
    /// that begins now, skips what it misses, and tolerates nothing.
    pub fn ticker(&self, period: Period) -> Ticks<O> {
        self.ticks(Schedule::new(self.os().now(), period), Duration::ZERO)
    }

    /// The ticks of a schedule, to be awaited, each up to `tolerance` after its deadline.
    pub fn ticks(&self, schedule: Schedule, tolerance: Duration) -> Ticks<O> {
        Ticks::new(self.clone(), schedule, tolerance)
    }

    /// What the driver has done so far. Can be read after it was shut down, too.
    pub fn counters(&self) -> Counters {
        self.shared.counters()
    }

    /// How many callbacks and futures are waiting, callbacks under way included if they repeat.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Whether none is waiting.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Asks the driver to stop, without waiting for it to: from any thread, callbacks included. What
    /// that means to those who wait stands at [the module](super).
    pub fn shut_down(&self) {
        self.shared.shut_down();
    }

    /// Whether anybody has asked it to stop.
    pub fn is_shut_down(&self) -> bool {
        self.shared.is_shut_down()
    }

    pub(super) fn os(&self) -> &O {
        &self.shared.os
    }

    fn add(&self, what: What, window: Option<Window>) -> Result<Timer<O>, ShutDown> {
        let id = self.shared.add(what, window)?;
        Ok(Timer {
            shared: Arc::clone(&self.shared),
            id,
        })
    }
}

// Not derived: that would ask it of `O`'s bell.
impl<O: Os> Clone for Handle<O> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<O: Os> fmt::Debug for Handle<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("len", &self.len())
            .field("counters", &self.counters())
            .field("is_shut_down", &self.is_shut_down())
            .finish()
    }
}
