//! A driver on a thread of its own.

use super::Handle;
use crate::os::{Native, Os, Panicked, Thread};
use std::fmt;

/// A [`Driver`](super::Driver) that runs on a thread of its own, until this is dropped.
///
/// Dropping it shuts the driver down and waits for its thread, which finishes the callback that is
/// under way, if any. So it must not be dropped by one of its own callbacks: that would wait for
/// itself. A callback can call [`Handle::shut_down`].
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

    /// To give it timers, from any thread.
    pub fn handle(&self) -> Handle<O> {
        self.handle.clone()
    }

    /// Shuts the driver down and waits for its thread to end.
    ///
    /// # Errors
    /// [`Panicked`] if the thread did, which no callback can make it do.
    pub fn shut_down(mut self) -> Result<(), Panicked> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Panicked> {
        self.handle.shut_down();
        match self.thread.take() {
            Some(thread) => thread.join(self.handle.os()),
            None => Ok(()),
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
