//! Ending one wait from another thread.

use crate::os::{Native, Os, VirtualOs};
use crate::{Error, Instant};
use std::fmt;

/// Ends one wait of a thread: the present one, or the next.
///
/// Use it for a thread that sleeps until something is due and also gets work from other threads. It
/// is to a [`Sleeper`](crate::Sleeper) what `unpark` is to the standard library's `park`. To stop a
/// loop for good, use a [`Cancel`](crate::Cancel).
///
/// - The wait that a notification ends consumes it. No notification is lost: one that comes between
///   two waits ends the second.
/// - Several notifications before the end of a wait count as one. So check for all work after each.
/// - The woken thread sees everything that the notifying thread did before.
/// - Any number of threads may notify, but only one may wait at a time. If two wait, one
///   notification may end one wait or both.
///
/// All clones are the same `Notify`.
///
/// ```
/// use punctual::{Notified, Notify, Sleeper};
/// use std::time::Duration;
///
/// let notify = Notify::new();
/// notify.notify();
/// notify.notify();
///
/// let mut sleeper = Sleeper::new();
/// let century = Duration::from_secs(100 * 365 * 24 * 3600);
/// assert_eq!(sleeper.sleep_or_notified(century, &notify), Err(Notified));
/// assert!(sleeper.sleep_or_notified(Duration::from_millis(1), &notify).is_ok());
/// ```
#[derive(Clone)]
pub struct Notify<O: Os = Native> {
    os: O,
    bell: O::Bell,
}

impl Notify {
    /// Makes a `Notify` for waits on the machine this program runs on.
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

impl<O: Os> Notify<O> {
    /// Makes a `Notify` for waits on the given machine.
    pub fn on(os: O) -> Self {
        let bell = os.bell();
        Self { os, bell }
    }

    /// Ends the present wait, or the next.
    pub fn notify(&self) {
        self.os.ring(&self.bell);
    }

    /// Consumes a pending notification, and returns whether there was one. The waiting thread can
    /// call it between two waits.
    pub fn take(&self) -> bool {
        let notified = self.os.is_rung(&self.bell);
        if notified {
            self.use_up();
        }
        notified
    }

    pub(crate) fn bell(&self) -> &O::Bell {
        &self.bell
    }

    pub(crate) fn use_up(&self) {
        self.os.hush(&self.bell);
    }
}

/// For tests.
impl Notify<VirtualOs> {
    /// Notifies at `instant` of the virtual clock, as another thread would.
    ///
    /// ```
    /// use punctual::os::VirtualOs;
    /// use punctual::{Instant, Notified, Notify, Os, Sleeper};
    ///
    /// let os = VirtualOs::new();
    /// let notify = Notify::on(os.clone());
    /// notify.notify_at(Instant::from_nanos(5_000));
    /// let ended = Sleeper::on(os.clone()).sleep_until_or_notified(Instant::MAX, &notify);
    /// assert_eq!(ended, Err(Notified));
    /// assert!(os.now() < Instant::from_nanos(6_000));
    /// ```
    pub fn notify_at(&self, instant: Instant) {
        self.os.ring_at(&self.bell, instant);
    }
}

impl Default for Notify {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Os> fmt::Debug for Notify<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notify")
            .field("is_notified", &self.os.is_rung(&self.bell))
            .finish()
    }
}

/// A wait was ended by a [`Notify`] before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notified;

impl fmt::Display for Notified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the wait was ended by a notification before its deadline")
    }
}

impl std::error::Error for Notified {}
