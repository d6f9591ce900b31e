//! Waking one wait from another thread, without a decision to stop.

use crate::os::{Native, Os, VirtualOs};
use crate::{Error, Instant};
use std::fmt;

/// Ends one wait of the thread that waits with it: the one under way, or the next that begins.
///
/// For a thread that sleeps until something is due and that others give work to, as a queue of
/// messages does. What `std`'s `park` and `unpark` and tokio's `Notify` are to other waits, this is
/// to a [`Sleeper`](crate::Sleeper)'s; what stops a loop for good is a [`Cancel`](crate::Cancel).
///
/// - A notification is used up by the wait that it ends. None gets lost: one that comes between two
///   waits ends the second.
/// - Notifications that come before a wait has ended count as one. So look at all there is to do
///   after each.
/// - What was done before notifying is seen by the thread whose wait it ended.
/// - Any number of threads notify; one waits at a time. Of two, one notification might end both
///   waits or one.
///
/// Clones are one and the same.
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
    /// For waits on the machine this program runs on.
    ///
    /// # Panics
    /// On systems that are not supported yet; see [`Native::new`].
    pub fn new() -> Self {
        Self::on(Native::new())
    }

    /// As [`new`](Self::new).
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) on systems that are not supported yet.
    pub fn try_new() -> Result<Self, Error> {
        Native::detect().map(Self::on)
    }
}

impl<O: Os> Notify<O> {
    /// For waits on the given machine.
    pub fn on(os: O) -> Self {
        let bell = os.bell();
        Self { os, bell }
    }

    /// Ends the wait that is under way, or the next that begins.
    pub fn notify(&self) {
        self.os.ring(&self.bell);
    }

    /// Uses up the notification that is there, and says whether there was one: for the thread that
    /// waits, where it looks between two waits.
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
    /// Notifies when the clock will have come to `instant`, as another thread would.
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
