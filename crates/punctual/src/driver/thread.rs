//! A driver on a thread of its own.

use super::Handle;
use crate::os::{Native, Os, Panicked, Thread};
use std::fmt;

/// A [`Driver`](super::Driver) that runs on its own thread, until this is dropped.
///
/// Dropping it shuts the driver down and waits for its thread, which finishes a running callback. If a
/// callback of the driver drops it, the drop does not wait, and the thread ends soon after that
/// callback. In a fork of the process, which lacks the thread, the drop does not wait either.
#[must_use = "dropping it shuts the driver down"]
pub struct DriverThread<O: Os = Native> {
    handle: Handle<O>,
    /// `None` once it is joined.
    thread: Option<Thread<O::Bell>>,
}

impl<O: Os> DriverThread<O> {
    pub(super) fn new(handle: Handle<O>, thread: Thread<O::Bell>) -> Self {
        Self {
            handle,
            thread: Some(thread),
        }
    }

    /// A handle, to give it timers from any thread.
    pub fn handle(&self) -> Handle<O> {
        self.handle.clone()
    }

    /// Shuts the driver down and waits for its thread to end. It does not wait on the driver's own
    /// thread, or in a fork of the process.
    ///
    /// # Errors
    /// [`Panicked`] if the thread panicked. A callback that panics does not cause this.
    pub fn shut_down(mut self) -> Result<(), Panicked> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Panicked> {
        self.handle.shut_down();
        let hub = &self.handle.shared.hub;
        match self.thread.take() {
            Some(thread) if !hub.is_orphaned() && !hub.is_served_here() => thread.join(&hub.os),
            _ => Ok(()),
        }
    }
}

impl<O: Os> Drop for DriverThread<O> {
    fn drop(&mut self) {
        // Whoever wants to know of a panic shuts it down by name.
        let _ = self.end();
    }
}

impl<O: Os> fmt::Debug for DriverThread<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DriverThread")
            .field("handle", &self.handle)
            .finish_non_exhaustive()
    }
}
