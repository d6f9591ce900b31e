//! The bell: a manual-reset event, which stays signalled until it is hushed and ends the waits of
//! any number of threads.

use super::{Waited, Win32, Win32Error};
use std::fmt;
use std::sync::Arc;

/// The bell of a [`WindowsOs`](super::WindowsOs): an event, closed with its last clone.
pub struct Bell<W: Win32> {
    event: Arc<W::Object>,
}

impl<W: Win32> Bell<W> {
    pub(super) fn new(win32: &W) -> Result<Self, Win32Error> {
        let event = win32.create_event_w(true)?;
        Ok(Self {
            event: Arc::new(event),
        })
    }

    pub(super) fn event(&self) -> &W::Object {
        &self.event
    }

    pub(super) fn ring(&self, win32: &W) {
        expect_valid(win32.set_event(self.event()));
    }

    pub(super) fn hush(&self, win32: &W) {
        expect_valid(win32.reset_event(self.event()));
    }

    pub(super) fn is_rung(&self, win32: &W) -> bool {
        self.wait(win32, 0)
    }

    /// Whether it rang before or while this many milliseconds passed.
    pub(super) fn wait(&self, win32: &W, milliseconds: u32) -> bool {
        match expect_valid(win32.wait_for_single_object(self.event(), milliseconds)) {
            Waited::Object(_) => true,
            Waited::Timeout => false,
        }
    }
}

/// Calls on an open event fail only if some other code of the process has closed it. A wait that
/// carried on would return at once for ever, or never.
fn expect_valid<T>(result: Result<T, Win32Error>) -> T {
    result.unwrap_or_else(|error| panic!("other code has closed an event of Punctual: {error}"))
}

// Not derived: that would ask it of the event, which need not be copied.
impl<W: Win32> Clone for Bell<W> {
    fn clone(&self) -> Self {
        Self {
            event: Arc::clone(&self.event),
        }
    }
}

impl<W: Win32> fmt::Debug for Bell<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bell").field(&self.event()).finish()
    }
}
