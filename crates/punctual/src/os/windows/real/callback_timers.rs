//! Timers that call back, as values: each ends when it is dropped, so nothing uses one after its end.

use super::callbacks::{self, Registered};
use super::ffi::{FILETIME, HANDLE};
use super::{lab_ffi, last_error, succeeded};
use crate::os::native::windows::{TimerCallback, Win32Error};
use std::ptr;

/// A timer of the default timer queue.
#[derive(Debug)]
pub struct RealQueueTimer {
    timer: HANDLE,
    _callback: Registered,
}

// SAFETY: timers belong to the process, and any thread may delete one.
unsafe impl Send for RealQueueTimer {}
// SAFETY: nothing can be done with a shared one.
unsafe impl Sync for RealQueueTimer {}

impl RealQueueTimer {
    pub(super) fn start(
        callback: TimerCallback,
        due_time: u32,
        period: u32,
        flags: u32,
    ) -> Result<Self, Win32Error> {
        const DEFAULT_QUEUE: HANDLE = ptr::null_mut();
        // One that has fired is still to be deleted.
        const ONCE: bool = false;
        let registered = Registered::new(callback, ONCE);
        let (mut timer, number) = (ptr::null_mut(), registered.number());
        // SAFETY: `timer` is valid for writing. The callback can be called with any number.
        succeeded(unsafe {
            lab_ffi::CreateTimerQueueTimer(
                &raw mut timer,
                DEFAULT_QUEUE,
                callbacks::queue,
                number,
                due_time,
                period,
                flags,
            )
        })?;
        Ok(Self {
            timer,
            _callback: registered,
        })
    }
}

impl Drop for RealQueueTimer {
    fn drop(&mut self) {
        let (queue, wait) = (ptr::null_mut(), lab_ffi::WAIT_FOR_CALLBACKS);
        // SAFETY: the timer was made, and only this deletes it.
        unsafe { lab_ffi::DeleteTimerQueueTimer(queue, self.timer, wait) };
    }
}

/// A timer of the thread pool.
#[derive(Debug)]
pub struct RealPoolTimer {
    timer: HANDLE,
    _callback: Registered,
}

// SAFETY: timers belong to the process, and any thread may use one.
unsafe impl Send for RealPoolTimer {}
// SAFETY: the functions that set it and wait for it may be called at once.
unsafe impl Sync for RealPoolTimer {}

impl RealPoolTimer {
    pub(super) fn make(callback: TimerCallback) -> Result<Self, Win32Error> {
        const ONCE: bool = false;
        let registered = Registered::new(callback, ONCE);
        let (number, environment) = (registered.number(), ptr::null());
        // SAFETY: the callback can be called with any number; the environment may be null.
        let timer = unsafe { lab_ffi::CreateThreadpoolTimer(callbacks::pool, number, environment) };
        if timer.is_null() {
            return Err(last_error());
        }
        Ok(Self {
            timer,
            _callback: registered,
        })
    }

    pub(super) fn set(&self, due_time: Option<&FILETIME>, period: u32, window_length: u32) {
        let due_time = due_time.map_or(ptr::null(), ptr::from_ref);
        // SAFETY: `due_time` is null or valid for reading, and the timer is open.
        unsafe { lab_ffi::SetThreadpoolTimer(self.timer, due_time, period, window_length) };
    }

    pub(super) fn wait_for_callbacks(&self, cancel_pending: bool) {
        // SAFETY: the timer is open.
        unsafe { lab_ffi::WaitForThreadpoolTimerCallbacks(self.timer, cancel_pending.into()) };
    }
}

impl Drop for RealPoolTimer {
    /// One that is closed while it is active would still make the calls that are due.
    fn drop(&mut self) {
        const CANCEL_PENDING: bool = true;
        self.set(None, 0, 0);
        self.wait_for_callbacks(CANCEL_PENDING);
        // SAFETY: the timer is open, and nobody uses it after this.
        unsafe { lab_ffi::CloseThreadpoolTimer(self.timer) };
    }
}

/// A multimedia timer.
#[derive(Debug)]
pub struct RealMultimediaTimer {
    timer: u32,
    callback: Registered,
}

impl RealMultimediaTimer {
    pub(super) fn start(
        delay: u32,
        resolution: u32,
        callback: TimerCallback,
        periodic: bool,
    ) -> Result<Self, Win32Error> {
        let kind = if periodic { lab_ffi::TIME_PERIODIC } else { 0 };
        let registered = Registered::new(callback, !periodic);
        let (number, callback) = (registered.number(), callbacks::multimedia);
        // SAFETY: the callback can be called with any number, at any time.
        match unsafe { lab_ffi::timeSetEvent(delay, resolution, callback, number, kind) } {
            // The function says only that it failed.
            0 => Err(Win32Error::NO_CAN_DO),
            timer => Ok(Self {
                timer,
                callback: registered,
            }),
        }
    }
}

impl Drop for RealMultimediaTimer {
    fn drop(&mut self) {
        // Windows may have given the number of one that has fired to another timer.
        if self.callback.forget() {
            // SAFETY: no pointers.
            unsafe { lab_ffi::timeKillEvent(self.timer) };
        }
    }
}
