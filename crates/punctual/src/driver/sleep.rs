//! The future of a deadline.

use super::ShutDown;
use super::job::{Job, Name};
use super::shard::Shard;
use super::when::When;
use crate::Instant;
use crate::os::{Native, Os};
use crate::{Key, Window};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// A future that is ready once its window of time has begun. Made by
/// [`Handle::sleep_until`](super::Handle::sleep_until).
///
/// Its output is the time at which the task saw that. It fails with [`ShutDown`] if the driver is shut
/// down before.
///
/// # Panics
/// If it has to wait and is polled in a callback of its own driver, on the driver's thread: the
/// callback would wait for itself.
#[must_use = "a future does nothing unless it is awaited"]
pub struct Sleep<O: Os = Native> {
    shard: Arc<Shard<O>>,
    window: Window,
    /// Of the handle it was made with.
    tolerance: Duration,
    /// Its timer, once it was polled.
    key: Option<Key>,
    /// Whether it is known that the window had not begun a moment ago: then the driver may as well
    /// be the one who looks at the clock.
    is_to_come: bool,
}

impl<O: Os> Sleep<O> {
    pub(super) fn new(
        shard: &Arc<Shard<O>>,
        window: Window,
        tolerance: Duration,
        is_to_come: bool,
    ) -> Self {
        Self {
            shard: Arc::clone(shard),
            window,
            tolerance,
            key: None,
            is_to_come,
        }
    }

    /// The window of time in which it becomes ready.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Waits for another window from now on, even if it was ready. A task that waits for it goes on
    /// waiting.
    ///
    /// ```
    /// use punctual::{Driver, Native, block_on};
    /// use std::time::Duration;
    ///
    /// let driver = Driver::new().start()?;
    /// let timers = driver.handle();
    /// let mut idle = timers.sleep(Duration::from_millis(1));
    /// // There was activity: another millisecond from here.
    /// idle.reset(timers.now() + Duration::from_millis(1));
    /// block_on(&Native::new(), idle)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset(&mut self, when: impl When) {
        self.window = when.window(self.tolerance);
        self.is_to_come = false;
        let (shard, window) = (&self.shard, self.window);
        self.key = self
            .key
            .filter(|&key| shard.reschedule(Name::Timer(key), window));
    }

    fn register(&mut self, mut waker: Waker) -> Result<(), ShutDown> {
        let is_there = |key| self.shard.exchange_waker(key, &mut waker);
        if self.key.is_some_and(is_there) {
            return Ok(());
        }
        assert!(
            !self.shard.hub.is_calling_here(),
            "a callback waits for its own driver, which waits for the callback: await the future in a \
             task, or give the driver another callback"
        );
        self.key = Some(self.shard.add(self.window, Job::Wake(waker))?);
        Ok(())
    }

    fn unregister(&mut self) {
        if let Some(key) = self.key.take() {
            self.shard.forget(key, self.window);
        }
    }
}

impl<O: Os> Future for Sleep<O> {
    type Output = Result<Instant, ShutDown>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if !std::mem::take(&mut self.is_to_come) {
            let now = self.shard.hub.os.now();
            if self.window.has_begun(now) {
                self.unregister();
                return Poll::Ready(Ok(now));
            }
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
