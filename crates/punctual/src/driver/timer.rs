//! The handle of one callback.

use super::job::Name;
use super::shard::Shard;
use super::when::When;
use crate::os::{Native, Os};
use crate::period::period_of;
use crate::{Error, Period};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A callback that was given to a driver, to cancel or to move. Dropping it changes nothing.
pub struct Timer<O: Os = Native> {
    pub(super) shard: Arc<Shard<O>>,
    pub(super) name: Name,
    /// Of the handle it was made with.
    pub(super) tolerance: Duration,
}

/// What came of cancelling a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cancellation {
    /// It was waiting, and will not be called again. It has been dropped.
    Prevented,
    /// It is being called at this moment, perhaps by the driver's thread while another asks, perhaps
    /// it cancels itself. This call goes on to its end, and is the last.
    UnderWay,
    /// It had been called, cancelled or given up before.
    TooLate,
}

impl<O: Os> Timer<O> {
    /// Sees to it that the callback is not called again. Returns at once, from any thread: it never
    /// waits for a callback that is under way, and says so instead.
    ///
    /// A callback that was waiting is dropped here, on the calling thread.
    pub fn cancel(&self) -> Cancellation {
        self.shard.cancel(self.name)
    }

    /// Moves the callback to another window, behind those that are already there. Returns whether
    /// there is a call to come: `false` if it was called once, cancelled, or given up.
    ///
    /// One that repeats starts again at the beginning of the window, which gives its ticks their
    /// tolerance from now on; its ticks are numbered on. While it is under way, that goes for the
    /// calls that follow.
    pub fn reschedule(&self, when: impl When) -> bool {
        self.shard
            .reschedule(self.name, when.window(self.tolerance))
    }

    /// Gives a repeating callback another period from now on, without a jump of the phase: what is
    /// left of the present period passes at the new rate. See
    /// [`Schedule::set_period`](crate::Schedule::set_period). Returns whether there is a tick to come:
    /// `false` if it was cancelled or given up, or does not repeat.
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
    /// For what is no period, such as a duration of zero.
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
