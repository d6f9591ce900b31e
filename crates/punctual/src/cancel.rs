//! Ending waits from another thread.

use crate::os::{Native, Os, VirtualOs};
use crate::{Error, Instant};
use std::fmt;

/// A decision to stop waiting, taken by any thread that holds a clone.
///
/// It ends every wait that was given it, those that begin afterwards included, so one can stop a
/// whole program's loops. It stands until it is [reset](Self::reset). To end a single wait, give
/// that a [`Notify`](crate::Notify).
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

impl<O: Os> Cancel<O> {
    /// For waits on the given machine.
    pub fn on(os: O) -> Self {
        let bell = os.bell();
        Self { os, bell }
    }

    /// Ends the waits. A second time changes nothing.
    pub fn cancel(&self) {
        self.os.ring(&self.bell);
    }

    /// Whether anybody has decided.
    pub fn is_cancelled(&self) -> bool {
        self.os.is_rung(&self.bell)
    }

    /// Takes the decision back: waits that begin from now on go on until somebody cancels again, and
    /// a [`Ticker`](crate::Ticker) that was cancelled ticks again.
    ///
    /// Reset it when the waits that it was to end have returned. One that has not may find the reset
    /// and not the cancel, and go on. Of a cancel and a reset at the same moment the later counts, so
    /// the cancel may be lost.
    ///
    /// ```
    /// use punctual::{Cancel, Cancelled, Sleeper};
    /// use std::time::Duration;
    ///
    /// let cancel = Cancel::new();
    /// let mut sleeper = Sleeper::new();
    /// cancel.cancel();
    /// assert_eq!(sleeper.sleep_unless(Duration::from_millis(1), &cancel), Err(Cancelled));
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
    /// Cancels when the clock will have come to `instant`, as another thread would.
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
