//! Timers that call back, as values: each ends when it is dropped, so nothing uses one after its end.

use super::super::TimerCallback;
use super::callbacks::{self, Registered};
use super::{last_error, succeeded};
use punctual::os::windows::Win32Error;
use std::ptr;
use windows_sys::Win32::Foundation::{FILETIME, HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Media::{TIME_PERIODIC, timeKillEvent, timeSetEvent};
use windows_sys::Win32::System::Threading::{
    CloseThreadpoolTimer, CreateThreadpoolTimer, CreateTimerQueueTimer, DeleteTimerQueueTimer,
    PTP_TIMER, SetThreadpoolTimer, WaitForThreadpoolTimerCallbacks,
};

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
        let mut timer = ptr::null_mut();
        let number = ptr::without_provenance(registered.number());
        // SAFETY: `timer` is valid for writing. The callback can be called with any number.
        succeeded(unsafe {
            CreateTimerQueueTimer(
                &raw mut timer,
                DEFAULT_QUEUE,
                Some(callbacks::queue),
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
        // As the event that is to be set: to wait for a callback that is under way.
        const WAIT: HANDLE = INVALID_HANDLE_VALUE;
        // SAFETY: the timer was made, and only this deletes it.
        unsafe { DeleteTimerQueueTimer(ptr::null_mut(), self.timer, WAIT) };
    }
}

/// A timer of the thread pool.
#[derive(Debug)]
pub struct RealPoolTimer {
    timer: PTP_TIMER,
    _callback: Registered,
}

impl RealPoolTimer {
    pub(super) fn make(callback: TimerCallback) -> Result<Self, Win32Error> {
        const ONCE: bool = false;
        let registered = Registered::new(callback, ONCE);
        let number = ptr::without_provenance_mut(registered.number());
        // SAFETY: the callback can be called with any number; the environment may be null.
        let timer = unsafe { CreateThreadpoolTimer(Some(callbacks::pool), number, ptr::null()) };
        if timer == 0 {
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
        unsafe { SetThreadpoolTimer(self.timer, due_time, period, window_length) };
    }

    pub(super) fn wait_for_callbacks(&self, cancel_pending: bool) {
        // SAFETY: the timer is open.
        unsafe { WaitForThreadpoolTimerCallbacks(self.timer, cancel_pending.into()) };
    }
}

impl Drop for RealPoolTimer {
    /// One that is closed while it is active would still make the calls that are due.
    fn drop(&mut self) {
        const CANCEL_PENDING: bool = true;
        self.set(None, 0, 0);
        self.wait_for_callbacks(CANCEL_PENDING);
        // SAFETY: the timer is open, and nothing uses it after this.
        unsafe { CloseThreadpoolTimer(self.timer) };
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
        let kind = if periodic { TIME_PERIODIC } else { 0 };
        let registered = Registered::new(callback, !periodic);
        let (number, callback) = (registered.number(), Some(callbacks::multimedia as _));
        // SAFETY: the callback can be called with any number, at any time.
        match unsafe { timeSetEvent(delay, resolution, callback, number, kind) } {
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
            unsafe { timeKillEvent(self.timer) };
        }
    }
}
