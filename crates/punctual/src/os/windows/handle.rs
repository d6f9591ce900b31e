//! A handle that is closed when nobody uses it any more.

use super::{Handle, Win32};

pub(super) struct Owned<W: Win32> {
    win32: W,
    handle: Handle,
}

impl<W: Win32> Owned<W> {
    /// Takes over a handle that was just made and that nobody else closes.
    pub(super) fn new(win32: &W, handle: Handle) -> Self {
        Self {
            win32: win32.clone(),
            handle,
        }
    }

    pub(super) fn handle(&self) -> Handle {
        self.handle
    }
}

impl<W: Win32> Drop for Owned<W> {
    fn drop(&mut self) {
        // Fails only for a handle that is not one, and then there is nothing to close.
        let _ = self.win32.close_handle(self.handle);
    }
}
