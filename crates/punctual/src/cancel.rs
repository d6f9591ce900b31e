//! Ending waits from another thread.

use crate::os::{Native, Os};
use std::fmt;

/// A decision to stop waiting, taken once and for good, by any thread that holds a clone.
///
/// It ends every wait that was given it, those that begin afterwards included, so one can stop a
/// whole program's loops.
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
    pub fn new() -> Self {
        Self::on(Native::new())
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

    pub(crate) fn bell(&self) -> &O::Bell {
        &self.bell
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
