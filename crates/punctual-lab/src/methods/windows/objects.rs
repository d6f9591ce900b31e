//! What methods hold while they exist.

use super::unavailable;
use punctual::Error;
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, INFINITE, SYNCHRONIZE, TIMER_MODIFY_STATE,
};
use punctual_windows::os::windows::{TimerCallback, Win32Lab};
use std::sync::Arc;

const AUTO_RESET: bool = false;

/// An event that ends one wait each time it is set.
pub(crate) fn event<W: Win32Lab>(win32: &W) -> Result<W::Object, Error> {
    win32
        .create_event_w(AUTO_RESET)
        .map_err(unavailable("CreateEvent"))
}

/// A waitable timer that ends one wait each time it fires.
pub(crate) fn timer<W: Win32Lab>(win32: &W, high_resolution: bool) -> Result<W::Object, Error> {
    if high_resolution {
        let flags = CREATE_WAITABLE_TIMER_HIGH_RESOLUTION;
        let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
        win32
            .create_waitable_timer_ex_w(flags, access)
            .map_err(unavailable("CREATE_WAITABLE_TIMER_HIGH_RESOLUTION"))
    } else {
        win32
            .create_waitable_timer_w(AUTO_RESET)
            .map_err(unavailable("CreateWaitableTimer"))
    }
}

/// Waits until it is signalled.
pub(crate) fn wait<W: Win32Lab>(win32: &W, object: &W::Object) {
    // A wait on one object for ever always succeeds.
    let _ = win32.wait_for_single_object(object, INFINITE);
}

/// A callback that sets the event.
pub(crate) fn setting<W: Win32Lab>(win32: &W, event: &Arc<W::Object>) -> TimerCallback {
    let (win32, event) = (win32.clone(), Arc::clone(event));
    Box::new(move || {
        // An event can be set.
        let _ = win32.set_event(&event);
    })
}
