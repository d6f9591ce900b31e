//! The ticks of a schedule, awaited.

use super::{Handle, Sleep};
use crate::os::{Native, Os};
use crate::timers::Window;
use crate::{Error, Instant, Period, Schedule, Tick};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

/// The ticks of a schedule, for `async` code. Made by [`Handle::ticks`].
///
/// If a task is slower than the period, the next tick is ready each time. Before the second such tick,
/// the other tasks of the executor get a turn.
///
/// With the feature `stream` it is a `Stream` of `futures-core`, which ends when
/// [`next`](Self::next) returns `None`.
pub struct Ticks<O: Os = Native> {
    schedule: Schedule,
    handle: Handle<O>,
    /// For the next tick, once somebody has waited for it.
    sleep: Option<Sleep<O>>,
    turn: Turn,
}

/// Whether other tasks had a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Since the last tick, which was waited for.
    Waited,
    /// Not since the last tick, which was ready at once.
    Kept,
    /// The task gave it away.
    Given,
}

impl<O: Os> Handle<O> {
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
        Ticks {
            schedule,
            handle: self.clone(),
            sleep: None,
            turn: Turn::Waited,
        }
    }
}

impl<O: Os> Ticks<O> {
    /// The period it keeps.
    pub fn period(&self) -> Period {
        self.schedule.period()
    }

    /// Changes the period from now on, without a jump of the phase: the rest of the present period
    /// passes at the new rate. See [`Schedule::set_period`].
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero.
    #[track_caller]
    pub fn set_period<P: TryInto<Period>>(&mut self, period: P)
    where
        Error: From<P::Error>,
    {
        self.schedule.set_period(self.handle.now(), period);
        self.reset();
    }

    /// Makes the next tick come at once, and the ticks after it follow at whole periods. Use it after
    /// a pause. The numbering continues, and nothing counts as missed.
    pub fn restart(&mut self) {
        self.restart_at(self.handle.now());
    }

    /// Puts the next tick at `start`, and the ticks after it at whole periods from there.
    pub fn restart_at(&mut self, start: Instant) {
        self.schedule.restart(start);
        self.reset();
    }

    /// Waits for the deadline that the schedule has now.
    fn reset(&mut self) {
        match (&mut self.sleep, self.schedule.next_deadline()) {
            (Some(sleep), Some(deadline)) => {
                sleep.reset(Window::tolerating(deadline, self.handle.tolerance()));
            }
            (sleep, _) => *sleep = None,
        }
    }

    /// Waits for the next tick. `None` when the driver is shut down, and past the end of 64-bit time.
    ///
    /// If this future is dropped, no tick is lost: the next one waits for the same tick.
    ///
    /// ```
    /// use punctual::{Driver, Native, Period, block_on};
    ///
    /// let driver = Driver::new().start()?;
    /// let mut frames = driver.handle().ticker(Period::from_hertz(500));
    /// block_on(&Native::new(), async {
    ///     for _ in 0..3 {
    ///         let frame = frames.next().await.unwrap();
    ///         println!("frame {}: {:?} late", frame.index, frame.lateness());
    ///     }
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn next(&mut self) -> Option<Tick> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// Polls for the next tick. The same as [`next`](Self::next), for code that polls by hand.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Tick>> {
        if self.handle.is_shut_down() {
            self.sleep = None;
            return Poll::Ready(None);
        }
        if self.sleep.is_none() {
            let now = self.handle.now();
            let Some(deadline) = self.schedule.next_deadline() else {
                return Poll::Ready(None);
            };
            if deadline <= now {
                return self.poll_overdue(now, context);
            }
            let window = Window::tolerating(deadline, self.handle.tolerance());
            self.sleep = Some(self.handle.sleep_to_come(window));
        }
        self.poll_sleep(context)
    }

    fn poll_overdue(&mut self, now: Instant, context: &mut Context<'_>) -> Poll<Option<Tick>> {
        if self.turn == Turn::Kept {
            self.turn = Turn::Given;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.turn = Turn::Kept;
        Poll::Ready(self.schedule.overdue_tick(now))
    }

    fn poll_sleep(&mut self, context: &mut Context<'_>) -> Poll<Option<Tick>> {
        let Some(sleep) = &mut self.sleep else {
            return Poll::Ready(None);
        };
        match Pin::new(sleep).poll(context) {
            Poll::Pending => {
                self.turn = Turn::Waited;
                Poll::Pending
            }
            Poll::Ready(woke) => {
                self.sleep = None;
                Poll::Ready(woke.ok().and_then(|woke| self.schedule.tick(woke)))
            }
        }
    }
}

#[cfg(feature = "stream")]
impl<O: Os> futures_core::Stream for Ticks<O> {
    type Item = Tick;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Tick>> {
        self.get_mut().poll_next(context)
    }
}

impl<O: Os> fmt::Debug for Ticks<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticks")
            .field("schedule", &self.schedule)
            .field("tolerance", &self.handle.tolerance())
            .finish_non_exhaustive()
    }
}
