//! Calls of Windows in the rows in which programs make them: for waiters, and for the runtimes that make the same calls.

use super::{TimerCallback, TimerId, WM_QUIT, WM_TIMER, Win32Lab};
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, INFINITE, SYNCHRONIZE, TIMER_MODIFY_STATE, Win32Error,
};
use std::sync::Arc;

const AUTO_RESET: bool = false;
const ONCE: i32 = 0;

/// An event that ends one wait each time it is set.
pub fn event<W: Win32Lab>(win32: &W) -> Result<W::Object, Win32Error> {
    win32.create_event_w(AUTO_RESET)
}

/// A waitable timer that ends one wait each time it fires.
pub fn timer<W: Win32Lab>(win32: &W) -> Result<W::Object, Win32Error> {
    win32.create_waitable_timer_w(AUTO_RESET)
}

/// The same with high resolution.
pub fn high_resolution_timer<W: Win32Lab>(win32: &W) -> Result<W::Object, Win32Error> {
    let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
    win32.create_waitable_timer_ex_w(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, access)
}

/// Waits until it is signalled.
pub fn wait<W: Win32Lab>(win32: &W, object: &W::Object) {
    // A wait on one object for ever always succeeds.
    let _ = win32.wait_for_single_object(object, INFINITE);
}

/// Sets a waitable timer and waits for it once.
pub fn await_timer<W: Win32Lab>(
    win32: &W,
    timer: &W::Object,
    due_time: i64,
) -> Result<(), Win32Error> {
    win32.set_waitable_timer(timer, due_time, ONCE)?;
    wait(win32, timer);
    Ok(())
}

/// Sets a timer of the thread pool, whose callback sets the event, and waits for it once.
pub fn await_pool<W: Win32Lab>(win32: &W, timer: &W::PoolTimer, event: &W::Object, due_time: i64) {
    const NO_PERIOD: u32 = 0;
    const NO_WINDOW: u32 = 0;
    win32.set_threadpool_timer(timer, Some(due_time), NO_PERIOD, NO_WINDOW);
    wait(win32, event);
}

/// Waits for one message of a timer of its own: such a timer is periodic.
pub fn message<W: Win32Lab>(win32: &W, milliseconds: u32) -> Result<(), Win32Error> {
    let timer = win32.set_timer(milliseconds)?;
    let came = await_message(win32, timer);
    // A running timer can be ended.
    let _ = win32.kill_timer(timer);
    came
}

/// Waits for the timer's next message and skips others. Returns at once if the thread is told to quit.
pub fn await_message<W: Win32Lab>(win32: &W, timer: TimerId) -> Result<(), Win32Error> {
    loop {
        let found = win32.get_message()?;
        let is_ours = found.message == WM_TIMER && found.w_param == timer.0;
        if is_ours || found.message == WM_QUIT {
            return Ok(());
        }
    }
}

/// A callback that sets the event.
pub fn setting<W: Win32Lab>(win32: &W, event: &Arc<W::Object>) -> TimerCallback {
    let (win32, event) = (win32.clone(), Arc::clone(event));
    Box::new(move || {
        // An event can be set.
        let _ = win32.set_event(&event);
    })
}
