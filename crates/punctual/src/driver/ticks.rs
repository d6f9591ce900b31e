//! The ticks of a schedule, awaited.

use super::Sleep;
use super::shared::Shared;
use crate::Window;
use crate::os::{Native, Os};
use crate::{Error, Instant, Period, Schedule, Tick};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// The ticks of a schedule, for `async` code. Made by [`Handle::ticks`](super::Handle::ticks).
///
/// If a task is slower than the period, the next tick is ready each time. Before the second such tick,
/// the other tasks of the executor get a turn.
///
/// With the feature `stream` it is a `Stream` of `futures-core`, which ends when
/// [`next`](Self::next) returns `None`.
pub struct Ticks<O: Os = Native> {
    schedule: Schedule,
    shared: Arc<Shared<O>>,
    /// Of the handle it was made with.
    tolerance: Duration,
    /// For the next tick, once something has waited for it.
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

impl<O: Os> Ticks<O> {
    pub(super) fn new(shared: Arc<Shared<O>>, schedule: Schedule, tolerance: Duration) -> Self {
        Self {
            schedule,
            shared,
            tolerance,
            sleep: None,
            turn: Turn::Waited,
        }
    }

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
        self.schedule.set_period(self.now(), period);
        self.reset();
    }

    /// Makes the next tick come at once, and the ticks after it follow at whole periods. Use it after
    /// a pause. The numbering continues, and nothing counts as missed.
    pub fn restart(&mut self) {
        self.restart_at(self.now());
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
                sleep.reset(Window::tolerating(deadline, self.tolerance));
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
        if self.shared.hub.is_shut_down() {
            self.sleep = None;
            return Poll::Ready(None);
        }
        if self.sleep.is_none() {
            let now = self.now();
            let Some(deadline) = self.schedule.next_deadline() else {
                return Poll::Ready(None);
            };
            if deadline <= now {
                return self.poll_overdue(now, context);
            }
            let window = Window::tolerating(deadline, self.tolerance);
            let shard = self.shared.shard();
            self.sleep = Some(Sleep::new(shard, window, self.tolerance, true));
        }
        self.poll_sleep(context)
    }

    fn now(&self) -> Instant {
        self.shared.hub.os.now()
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
            .field("tolerance", &self.tolerance)
            .finish_non_exhaustive()
    }
}
