//! Futures that a driver wakes: for any executor, and depending on none.
//!
//! There is no `Stream` of ticks: that trait is not in the standard library. [`Ticks::poll_next`] is
//! all that an adapter needs, such as `poll_fn` of the crate `futures`.

use super::job::{JobId, What};
use super::{Handle, ShutDown};
use crate::os::{Native, Os};
use crate::timers::Window;
use crate::{Instant, Schedule, Tick};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Is ready once its window has begun: [`Handle::sleep_until`]. Says what time it was then, as the
/// task saw it.
///
/// Fails with [`ShutDown`] if the driver is shut down before that.
#[must_use = "a future does nothing unless it is awaited"]
pub struct Sleep<O: Os = Native> {
    handle: Handle<O>,
    window: Window,
    registration: Option<JobId>,
}

impl<O: Os> Sleep<O> {
    pub(super) fn new(handle: Handle<O>, window: Window) -> Self {
        Self {
            handle,
            window,
            registration: None,
        }
    }

    /// When it may be ready.
    pub fn window(&self) -> Window {
        self.window
    }

    fn register(&mut self, mut waker: Waker) -> Result<(), ShutDown> {
        let shared = &self.handle.shared;
        if let Some(id) = self.registration
            && shared.exchange_waker(id, &mut waker)
        {
            return Ok(());
        }
        self.registration = Some(shared.add(What::Wake(waker), Some(self.window))?);
        Ok(())
    }

    fn unregister(&mut self) {
        if let Some(id) = self.registration.take() {
            self.handle.shared.cancel(id);
        }
    }
}

impl<O: Os> Future for Sleep<O> {
    type Output = Result<Instant, ShutDown>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let now = self.handle.os().now();
        if self.window.has_begun(now) {
            self.unregister();
            return Poll::Ready(Ok(now));
        }
        match self.register(context.waker().clone()) {
            Ok(()) => Poll::Pending,
            Err(ShutDown) => Poll::Ready(Err(ShutDown)),
        }
    }
}

impl<O: Os> Drop for Sleep<O> {
    fn drop(&mut self) {
        self.unregister();
    }
}

impl<O: Os> fmt::Debug for Sleep<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleep")
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}

/// The ticks of a schedule, one after the other: [`Handle::ticks`].
///
/// Tasks that are slower than their period find the next tick ready each time, and do not let
/// others of their executor have a turn for it.
pub struct Ticks<O: Os = Native> {
    schedule: Schedule,
    tolerance: Duration,
    handle: Handle<O>,
    /// For the next tick, once somebody has waited for it.
    sleep: Option<Sleep<O>>,
}

impl<O: Os> Ticks<O> {
    pub(super) fn new(handle: Handle<O>, schedule: Schedule, tolerance: Duration) -> Self {
        Self {
            schedule,
            tolerance,
            handle,
            sleep: None,
        }
    }

    /// The next tick. `None` when the driver is shut down, and past the end of 64-bit time.
    ///
    /// A tick that nobody stayed to see is not lost: if this future is dropped, the next one waits
    /// for the same tick.
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

    /// [`next`](Self::next) for whoever polls by hand.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Tick>> {
        let sleep = match &mut self.sleep {
            Some(sleep) => sleep,
            None => {
                let now = self.handle.os().now();
                if let Some(tick) = self.schedule.overdue_tick(now) {
                    return Poll::Ready(Some(tick));
                }
                let Some(deadline) = self.schedule.next_deadline() else {
                    return Poll::Ready(None);
                };
                let window = Window::tolerating(deadline, self.tolerance);
                self.sleep.insert(self.handle.sleep_until(window))
            }
        };
        match Pin::new(sleep).poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(woke) => {
                self.sleep = None;
                Poll::Ready(woke.ok().and_then(|woke| self.schedule.tick(woke)))
            }
        }
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
