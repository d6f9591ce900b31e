//! Ending waits from another thread.

use crate::os::{Native, Os, VirtualOs};
use crate::{Error, Instant};
use std::fmt;

/// Ends waits from any thread that holds a clone.
///
/// It ends every wait that uses it, and every later one, until it is [reset](Self::reset). So one
/// `Cancel` can stop all loops of a program. A [`Notify`](crate::Notify) ends a single wait.
///
/// ```
/// use punctual::{Cancel, Sleeper};
/// use std::time::Duration;
///
/// let cancel = Cancel::new();
/// let stop = cancel.clone();
/// std::thread::spawn(move || stop.cancel());
///
/// let mut sleeper = Sleeper::new();
/// let century = Duration::from_secs(100 * 365 * 24 * 3600);
/// assert!(sleeper.sleep_unless(century, &cancel).is_err());
/// ```
#[derive(Clone)]
pub struct Cancel<O: Os = Native> {
    os: O,
    bell: O::Bell,
}

impl Cancel {
    /// Makes a `Cancel` for waits on the machine this program runs on.
    ///
    /// # Panics
    /// Where the system cannot wait; see [`Native::new`].
    pub fn new() -> Self {
        Self::on(Native::new())
    }

    /// Like [`new`](Self::new), but returns an error instead of panicking.
    ///
    /// # Errors
    /// Those of [`Native::detect`].
    pub fn try_new() -> Result<Self, Error> {
        Native::detect().map(Self::on)
    }
}

impl<O: Os> Cancel<O> {
    /// Makes a `Cancel` for waits on the given machine.
    pub fn on(os: O) -> Self {
        let bell = os.bell();
        Self { os, bell }
    }

    /// Ends the waits. A second time changes nothing.
    pub fn cancel(&self) {
        self.os.ring(&self.bell);
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.os.is_rung(&self.bell)
    }

    /// Makes it usable again: later waits are no longer cancelled, and a cancelled
    /// [`Ticker`](crate::Ticker) ticks again.
    ///
    /// Call it after the cancelled waits have returned. A wait that has not returned yet may miss the
    /// cancel and continue. If one thread cancels while another resets, the later call counts, so the
    /// cancel may be lost.
    ///
    /// ```
    /// use punctual::{Cancel, Cancelled, Sleeper};
    /// use std::time::Duration;
    ///
    /// let cancel = Cancel::new();
    /// let mut sleeper = Sleeper::new();
    /// cancel.cancel();
    /// assert_eq!(sleeper.sleep_unless(Duration::from_secs(3600), &cancel), Err(Cancelled));
    /// cancel.reset();
    /// assert!(sleeper.sleep_unless(Duration::from_millis(1), &cancel).is_ok());
    /// ```
    pub fn reset(&self) {
        self.os.hush(&self.bell);
    }

    pub(crate) fn bell(&self) -> &O::Bell {
        &self.bell
    }
}

/// For tests.
impl Cancel<VirtualOs> {
    /// Cancels at `instant` of the virtual clock, as another thread would.
    ///
    /// ```
    /// use punctual::os::VirtualOs;
    /// use punctual::{Cancel, Instant, Period, Sleeper, Ticker};
    ///
    /// let os = VirtualOs::new();
    /// let cancel = Cancel::on(os.clone());
    /// cancel.cancel_at(Instant::from_nanos(4_500_000));
    /// let ticker = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz(1_000));
    /// assert_eq!(ticker.cancelled_by(cancel).count(), 5);
    /// ```
    pub fn cancel_at(&self, instant: Instant) {
        self.os.ring_at(&self.bell, instant);
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Os> fmt::Debug for Cancel<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel")
            .field("is_cancelled", &self.is_cancelled())
            .finish()
    }
}

/// A wait was ended by a [`Cancel`] before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the wait was cancelled before its deadline")
    }
}

impl std::error::Error for Cancelled {}
