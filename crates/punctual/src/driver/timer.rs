//! The handle of one callback.

use super::job::JobId;
use super::shared::Shared;
use crate::os::{Native, Os};
use crate::timers::Window;
use std::fmt;
use std::sync::Arc;

/// A callback that was given to a driver, to cancel or to move. Dropping it changes nothing.
pub struct Timer<O: Os = Native> {
    pub(super) shared: Arc<Shared<O>>,
    pub(super) id: JobId,
}

/// What came of cancelling a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        self.shared.cancel(self.id)
    }

    /// Moves the callback to another window, behind those that are already there. Returns whether
    /// there is a call to come: `false` if it was called once, cancelled, or given up.
    ///
    /// One that repeats starts again at the beginning of the window, which gives its ticks their
    /// tolerance from now on; its ticks are numbered on. While it is under way, that goes for the
    /// calls that follow.
    pub fn reschedule(&self, window: impl Into<Window>) -> bool {
        self.shared.reschedule(self.id, window.into())
    }
}

// Not derived: that would ask it of `O`'s bell.
impl<O: Os> Clone for Timer<O> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            id: self.id,
        }
    }
}

impl<O: Os> fmt::Debug for Timer<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Timer").field(&self.id).finish()
    }
}
