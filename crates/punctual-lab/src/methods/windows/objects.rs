//! What methods hold while they exist.

use super::unavailable;
use punctual::Error;
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, Handle, INFINITE, SYNCHRONIZE, TIMER_MODIFY_STATE,
    Win32Lab,
};

/// A handle, closed on drop.
pub(super) struct Object<W: Win32Lab> {
    win32: W,
    pub(super) handle: Handle,
}

impl<W: Win32Lab> Object<W> {
    /// An event that ends one wait each time it is set.
    pub(super) fn event(win32: &W) -> Result<Self, Error> {
        const AUTO_RESET: bool = false;
        let handle = win32
            .create_event_w(AUTO_RESET)
            .map_err(unavailable("CreateEvent"))?;
        Ok(Self::own(win32, handle))
    }

    /// A waitable timer that ends one wait each time it fires.
    pub(super) fn timer(win32: &W, high_resolution: bool) -> Result<Self, Error> {
        const AUTO_RESET: bool = false;
        let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
        let created = if high_resolution {
            let flags = CREATE_WAITABLE_TIMER_HIGH_RESOLUTION;
            let created = win32.create_waitable_timer_ex_w(flags, access);
            created.map_err(unavailable("CREATE_WAITABLE_TIMER_HIGH_RESOLUTION"))
        } else {
            let created = win32.create_waitable_timer_w(AUTO_RESET);
            created.map_err(unavailable("CreateWaitableTimer"))
        };
        Ok(Self::own(win32, created?))
    }

    fn own(win32: &W, handle: Handle) -> Self {
        Self {
            win32: win32.clone(),
            handle,
        }
    }

    /// Waits until it is signalled.
    pub(super) fn wait(&self) {
        // A wait on an open handle always succeeds.
        let _ = self.win32.wait_for_single_object(self.handle, INFINITE);
    }
}

impl<W: Win32Lab> Drop for Object<W> {
    fn drop(&mut self) {
        let _ = self.win32.close_handle(self.handle);
    }
}
