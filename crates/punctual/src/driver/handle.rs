//! The handle of a driver, for every thread.

use super::counters::Counters;
use super::job::{Job, Name};
use super::repeats::Repeat;
use super::shared::Shared;
use super::when::{Repeating, When};
use super::{ShutDown, Sleep, Ticks, TimedOut, Timer, timeout};
use crate::os::{Native, Os};
use crate::period::period_of;
use crate::{Error, Instant, Period, Schedule, Start, Tick, Window};
use std::fmt;
use std::future::{Future, IntoFuture};
use std::sync::Arc;
use std::time::Duration;

use super::job::Firing;

/// Gives timers to a [`Driver`](super::Driver), from any thread and from its own callbacks.
///
/// No method waits for a callback: a queue is locked only while it is changed. An insert wakes the
/// driver's thread only if the new timer comes before everything that the thread sleeps for.
pub struct Handle<O: Os = Native> {
    pub(super) shared: Arc<Shared<O>>,
    tolerance: Duration,
}

impl<O: Os> Handle<O> {
    pub(super) fn new(shared: Arc<Shared<O>>) -> Self {
        Self {
            shared,
            tolerance: Duration::ZERO,
        }
    }

    /// A handle of the same driver, with a tolerance for all timers without a window of their own:
    /// those from instants, durations, periods and schedules. Without this, the tolerance is zero.
    ///
    /// ```
    /// use punctual::{Driver, Period};
    /// use std::time::Duration;
    ///
    /// let driver = Driver::new().start()?;
    /// // Housekeeping has time, so the processor need not wake for it alone.
    /// let whenever = driver.handle().tolerating(Duration::from_millis(100));
    /// whenever.every(Period::from_hertz(4), |_| println!("swept"))?;
    /// whenever.after(Duration::from_secs(60), |_| println!("saved"))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tolerating(&self, tolerance: Duration) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            tolerance,
        }
    }

    /// The tolerance: how much later than its deadline a timer without a window may fire.
    pub fn tolerance(&self) -> Duration {
        self.tolerance
    }

    /// Reads the driver's clock.
    pub fn now(&self) -> Instant {
        self.os().now()
    }

    /// Calls a callback once, on the driver's thread, at an [`Instant`] or within a [`Window`].
    ///
    /// If it lies in the past, the callback is called at once, and is late. Use [`soon`](Self::soon)
    /// for a callback without a deadline.
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    ///
    /// ```
    /// use punctual::{Driver, Window};
    /// use std::sync::mpsc;
    /// use std::time::Duration;
    ///
    /// let driver = Driver::new().start()?;
    /// let timers = driver.handle();
    /// let (sender, receiver) = mpsc::channel();
    /// let deadline = timers.now() + Duration::from_millis(1);
    /// let window = Window::tolerating(deadline, Duration::from_millis(1));
    /// timers.once(window, move |firing| sender.send(firing.woke).unwrap())?;
    /// assert!(receiver.recv()? >= deadline);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn once(
        &self,
        when: impl When,
        callback: impl FnOnce(Firing) + Send + 'static,
    ) -> Result<Timer<O>, ShutDown> {
        self.add(when.window(self.tolerance), Job::Once(Box::new(callback)))
    }

    /// Calls a callback once, after a duration. Zero means as [soon](Self::soon) as possible.
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    pub fn after(
        &self,
        duration: Duration,
        callback: impl FnOnce(Firing) + Send + 'static,
    ) -> Result<Timer<O>, ShutDown> {
        if duration.is_zero() {
            return self.soon(callback);
        }
        self.once(self.now() + duration, callback)
    }

    /// Calls a callback once, as soon as possible.
    ///
    /// It takes its turn among the timers that are due, as if its deadline were now. It cannot miss a
    /// deadline, so it is counted as fired and never as late.
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    pub fn soon(
        &self,
        callback: impl FnOnce(Firing) + Send + 'static,
    ) -> Result<Timer<O>, ShutDown> {
        self.add(self.now().into(), Job::Soon(Box::new(callback)))
    }

    /// Calls a callback as soon as possible, and then once per period. The same as
    /// [`repeat`](Self::repeat) with a schedule that begins now and skips missed periods. Without a tolerance, it begins
    /// where its deadlines keep away from the kernel's ticks, if it can, as a [`Ticker`](crate::Ticker#where-it-starts) does.
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero.
    #[track_caller]
    pub fn every<P: TryInto<Period>, R: Repeating>(
        &self,
        period: P,
        callback: impl FnMut(Tick) -> R + Send + 'static,
    ) -> Result<Timer<O>, ShutDown>
    where
        Error: From<P::Error>,
    {
        let (now, period) = (self.now(), period_of(period));
        let start = if self.tolerance.is_zero() {
            Start::off_ticks(self.os(), now, period).at()
        } else {
            now
        };
        let repeat = self.repeating(Schedule::of(start, period), callback);
        self.add_repeat(now, repeat.beginning_soon())
    }

    /// Calls a callback for each tick of a schedule, at most the handle's
    /// [tolerance](Self::tolerating) after its deadline.
    ///
    /// The schedule does not drift, however late ticks come. If a deadline has passed when the previous
    /// call returns, the schedule's policy decides about the missed periods. So with a tolerance of a
    /// period or more, some periods are missed.
    ///
    /// The callback ends itself by returning [`ControlFlow::Break`](std::ops::ControlFlow::Break). If
    /// it returns nothing, it is called until it is cancelled. The first call may come before this
    /// function returns, so the callback cannot rely on its own [`Timer`]. A callback that panics is not
    /// called again.
    ///
    /// ```
    /// use punctual::{Driver, Period, Schedule};
    /// use std::ops::ControlFlow;
    ///
    /// let driver = Driver::new().start()?;
    /// let timers = driver.handle();
    /// let schedule = Schedule::new(timers.now(), Period::from_hertz(1_000));
    /// timers.repeat(schedule, |tick| match tick.index {
    ///     0..3 => ControlFlow::Continue(()),
    ///     _ => ControlFlow::Break(()),
    /// })?;
    /// while !timers.is_empty() {
    ///     std::thread::yield_now();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ShutDown`]; the callback is dropped.
    pub fn repeat<R: Repeating>(
        &self,
        schedule: Schedule,
        callback: impl FnMut(Tick) -> R + Send + 'static,
    ) -> Result<Timer<O>, ShutDown> {
        self.add_repeat(self.now(), self.repeating(schedule, callback))
    }

    /// A future that is ready once a window of time has begun.
    ///
    /// It works with any executor. Its timer is inserted when it is first polled, and cancelled when it
    /// is dropped.
    pub fn sleep_until(&self, when: impl When) -> Sleep<O> {
        let window = when.window(self.tolerance);
        Sleep::new(self.shared.shard(), window, self.tolerance, false)
    }

    /// A future that is ready after a duration, measured from this call. See
    /// [`sleep_until`](Self::sleep_until).
    pub fn sleep(&self, duration: Duration) -> Sleep<O> {
        let window = Window::tolerating(self.now() + duration, self.tolerance);
        if duration.is_zero() {
            self.sleep_until(window)
        } else {
            self.sleep_to_come(window)
        }
    }

    /// A sleep whose window, as is known, has not begun.
    fn sleep_to_come(&self, window: Window) -> Sleep<O> {
        Sleep::new(self.shared.shard(), window, self.tolerance, true)
    }

    /// Limits how long a future may take, measured from this call. The result is its output, or
    /// [`TimedOut`]. If both are ready at the same time, the output wins.
    ///
    /// ```
    /// use punctual::driver::TimedOut;
    /// use punctual::{Driver, Native, block_on};
    /// use std::future::pending;
    /// use std::time::Duration;
    ///
    /// let driver = Driver::new().start()?;
    /// let never = driver.handle().timeout(Duration::from_millis(1), pending::<()>());
    /// assert_eq!(block_on(&Native::new(), never), Err(TimedOut::Elapsed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn timeout<F: IntoFuture>(
        &self,
        duration: Duration,
        future: F,
    ) -> impl Future<Output = Result<F::Output, TimedOut>> + use<O, F> {
        timeout::unless(self.sleep(duration), future)
    }

    /// Limits how long a future may take, until a window of time begins. See
    /// [`timeout`](Self::timeout).
    pub fn timeout_at<W: When, F: IntoFuture>(
        &self,
        when: W,
        future: F,
    ) -> impl Future<Output = Result<F::Output, TimedOut>> + use<O, W, F> {
        timeout::unless(self.sleep_until(when), future)
    }

    /// Ticks for `async` code, the first of them now. The same as [`ticks`](Self::ticks) with a
    /// schedule that begins now and skips missed periods.
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero.
    #[track_caller]
    pub fn ticker<P: TryInto<Period>>(&self, period: P) -> Ticks<O>
    where
        Error: From<P::Error>,
    {
        self.ticks(Schedule::new(self.now(), period))
    }

    /// The ticks of a schedule, for `async` code, each at most the handle's
    /// [tolerance](Self::tolerating) after its deadline.
    pub fn ticks(&self, schedule: Schedule) -> Ticks<O> {
        Ticks::new(Arc::clone(&self.shared), schedule, self.tolerance)
    }

    /// The counters of the driver's work. They can still be read after a shutdown.
    pub fn counters(&self) -> Counters {
        self.shared.hub.counters()
    }

    /// Resets the counters to zero. Returns their last values.
    pub fn reset_counters(&self) -> Counters {
        let counters = self.shared.hub.count(std::mem::take);
        counters.unwrap_or_default()
    }

    /// How many callbacks and futures are waiting, including repeating callbacks that are running.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Whether none is waiting.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Asks the driver to stop, from any thread and from callbacks, without waiting for it. [The
    /// module](super#shutting-down) says what happens to waiting callbacks and futures.
    pub fn shut_down(&self) {
        self.shared.shut_down();
    }

    /// Whether the driver was asked to stop.
    pub fn is_shut_down(&self) -> bool {
        self.shared.hub.is_shut_down()
    }

    pub(super) fn os(&self) -> &O {
        &self.shared.hub.os
    }

    fn add(&self, window: Window, job: Job) -> Result<Timer<O>, ShutDown> {
        let shard = self.shared.shard();
        let key = shard.add(window, job)?;
        Ok(self.timer(shard, Name::Timer(key)))
    }

    fn repeating<R: Repeating>(
        &self,
        schedule: Schedule,
        mut callback: impl FnMut(Tick) -> R + Send + 'static,
    ) -> Repeat {
        let callback = Box::new(move |tick| callback(tick).flow());
        Repeat::new(schedule, self.tolerance, callback)
    }

    fn add_repeat(&self, now: Instant, mut repeat: Repeat) -> Result<Timer<O>, ShutDown> {
        let window = repeat.next_window(now);
        let shard = self.shared.shard();
        let name = shard.add_repeat(window, repeat)?;
        Ok(self.timer(shard, name))
    }

    fn timer(&self, shard: &Arc<super::shard::Shard<O>>, name: Name) -> Timer<O> {
        Timer {
            shard: Arc::clone(shard),
            name,
            tolerance: self.tolerance,
        }
    }
}

// Not derived: that would ask it of `O`'s bell.
impl<O: Os> Clone for Handle<O> {
    fn clone(&self) -> Self {
        self.tolerating(self.tolerance)
    }
}

impl<O: Os> fmt::Debug for Handle<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("tolerance", &self.tolerance)
            .field("len", &self.len())
            .field("counters", &self.counters())
            .field("is_shut_down", &self.is_shut_down())
            .finish()
    }
}
