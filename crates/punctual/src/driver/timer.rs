//! The handle of one callback.

use super::job::{Cancellation, Name};
use super::shard::Shard;
use super::when::When;
use crate::os::{Native, Os};
use crate::period::period_of;
use crate::{Error, Period};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A handle of one callback, to cancel or to move it. Dropping the handle changes nothing.
pub struct Timer<O: Os = Native> {
    pub(super) shard: Arc<Shard<O>>,
    pub(super) name: Name,
    /// Of the handle it was made with.
    pub(super) tolerance: Duration,
}

impl<O: Os> Timer<O> {
    /// Cancels the callback, so that it is not called again. It returns at once, from any thread: it
    /// does not wait for a running callback, and the result says whether there is one.
    ///
    /// A waiting callback is dropped on the calling thread.
    pub fn cancel(&self) -> Cancellation {
        self.shard.cancel(self.name)
    }

    /// Moves the callback to another window, behind the timers with the same end. Returns whether
    /// there is a call to come: `false` if it has been called, cancelled, or dropped.
    ///
    /// A repeating callback starts again at the beginning of the window. The window's width becomes
    /// the tolerance of its ticks, and their numbering continues. If the callback is running, this
    /// applies to the following calls.
    pub fn reschedule(&self, when: impl When) -> bool {
        self.shard
            .reschedule(self.name, when.window(self.tolerance))
    }

    /// Changes the period of a repeating callback from now on, without a jump of the phase: the rest
    /// of the present period passes at the new rate. See
    /// [`Schedule::set_period`](crate::Schedule::set_period). Returns whether there is a tick to come:
    /// `false` if it was cancelled or dropped, or does not repeat.
    ///
    /// ```
    /// use punctual::{Driver, Period};
    ///
    /// let driver = Driver::new().start()?;
    /// let beat = driver.handle().every(Period::from_hertz(2), |_| println!("beat"))?;
    /// // Twice as fast, from within the present beat on.
    /// assert!(beat.set_period(Period::from_hertz(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero.
    #[track_caller]
    pub fn set_period<P: TryInto<Period>>(&self, period: P) -> bool
    where
        Error: From<P::Error>,
    {
        let period = period_of(period);
        let now = self.shard.hub.os.now();
        self.shard.set_period(self.name, now, period)
    }
}

// Not derived: that would ask it of `O`'s bell.
impl<O: Os> Clone for Timer<O> {
    fn clone(&self) -> Self {
        Self {
            shard: Arc::clone(&self.shard),
            ..*self
        }
    }
}

impl<O: Os> fmt::Debug for Timer<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Timer").field(&self.name).finish()
    }
}
