//! Windows itself: the calls that only experiments make, made.

#![allow(unsafe_code, reason = "system calls")]

mod callback_timers;
mod callbacks;
mod procedures;
mod wine;

pub use callback_timers::{RealMultimediaTimer, RealPoolTimer, RealQueueTimer};
pub use wine::wine_version;

use super::{Message, SystemTime, TimeAdjustment, TimerCallback, TimerId, Win32Lab};
use procedures::{Procedures, QueryTime};
use punctual::os::windows::{Real, Waited, Win32Error};
use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;
use std::sync::atomic::AtomicU32;
use windows_sys::Win32::Foundation::{
    ERROR_FILENAME_EXCED_RANGE, ERROR_TIMEOUT, FALSE, FILETIME, GetLastError, MAX_PATH,
};
use windows_sys::Win32::Media;
use windows_sys::Win32::System::{SystemInformation, Threading};
use windows_sys::Win32::UI::WindowsAndMessaging::{GetMessageW, KillTimer, MSG, SetTimer};
use windows_sys::core::BOOL;

impl Win32Lab for Real {
    type QueueTimer = RealQueueTimer;
    type PoolTimer = RealPoolTimer;
    type MultimediaTimer = RealMultimediaTimer;

    fn sleep(&self, milliseconds: u32) {
        // SAFETY: no pointers.
        unsafe { Threading::Sleep(milliseconds) };
    }

    fn sleep_ex(&self, milliseconds: u32, alertable: bool) -> u32 {
        // SAFETY: no pointers.
        unsafe { Threading::SleepEx(milliseconds, alertable.into()) }
    }

    fn nt_delay_execution(&self, alertable: bool, delay: i64) -> Result<(), Win32Error> {
        let delay_execution = Procedures::of_this_windows().delay_execution;
        let delay_execution = delay_execution.ok_or(Win32Error::PROC_NOT_FOUND)?;
        // SAFETY: `delay` is valid for reading.
        status(unsafe { delay_execution(alertable.into(), &raw const delay) })
    }

    fn wait_on_address(
        &self,
        value: &AtomicU32,
        compare: u32,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        let wait_on_address = Procedures::of_this_windows().wait_on_address;
        let wait_on_address = wait_on_address.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let (value, compare) = (value.as_ptr().cast(), (&raw const compare).cast());
        // SAFETY: both addresses are those of so many bytes that can be read, and stay so until it returns.
        let woken = unsafe { wait_on_address(value, compare, size_of::<u32>(), milliseconds) };
        match succeeded(woken) {
            Ok(()) => Ok(Waited::Object(0)),
            Err(Win32Error::LastError(ERROR_TIMEOUT)) => Ok(Waited::Timeout),
            Err(error) => Err(error),
        }
    }

    fn nt_set_timer_resolution(&self, desired: u32, set: bool) -> Result<u32, Win32Error> {
        let set_resolution = Procedures::of_this_windows().set_timer_resolution;
        let set_resolution = set_resolution.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let mut current = 0;
        // SAFETY: `current` is valid for writing.
        status(unsafe { set_resolution(desired, set.into(), &raw mut current) })?;
        Ok(current)
    }

    fn create_timer_queue_timer(
        &self,
        callback: TimerCallback,
        due_time: u32,
        period: u32,
        flags: u32,
    ) -> Result<RealQueueTimer, Win32Error> {
        RealQueueTimer::start(callback, due_time, period, flags)
    }

    fn create_threadpool_timer(
        &self,
        callback: TimerCallback,
    ) -> Result<RealPoolTimer, Win32Error> {
        RealPoolTimer::make(callback)
    }

    fn set_threadpool_timer(
        &self,
        timer: &RealPoolTimer,
        due_time: Option<i64>,
        period: u32,
        window_length: u32,
    ) {
        let due_time = due_time.map(|units| file_time(units.cast_unsigned()));
        timer.set(due_time.as_ref(), period, window_length);
    }

    fn wait_for_threadpool_timer_callbacks(&self, timer: &RealPoolTimer, cancel_pending: bool) {
        timer.wait_for_callbacks(cancel_pending);
    }

    fn time_set_event(
        &self,
        delay: u32,
        resolution: u32,
        callback: TimerCallback,
        periodic: bool,
    ) -> Result<RealMultimediaTimer, Win32Error> {
        RealMultimediaTimer::start(delay, resolution, callback, periodic)
    }

    fn set_timer(&self, elapse: u32) -> Result<TimerId, Win32Error> {
        let (window, number, function) = (ptr::null_mut(), 0, None);
        // SAFETY: without a window, messages go to this thread's queue; there may be no function.
        match unsafe { SetTimer(window, number, elapse, function) } {
            0 => Err(last_error()),
            timer => Ok(TimerId(timer)),
        }
    }

    fn kill_timer(&self, timer: TimerId) -> Result<(), Win32Error> {
        // SAFETY: the window may be null, and any number be given.
        succeeded(unsafe { KillTimer(ptr::null_mut(), timer.0) })
    }

    fn get_message(&self) -> Result<Message, Win32Error> {
        let mut message = MSG::default();
        // SAFETY: `message` is valid for writing; the window may be null; 0 and 0 are all messages.
        match unsafe { GetMessageW(&raw mut message, ptr::null_mut(), 0, 0) } {
            -1 => Err(last_error()),
            _ => Ok(Message {
                message: message.message,
                w_param: message.wParam,
            }),
        }
    }

    fn time_get_time(&self) -> u32 {
        // SAFETY: no pointers.
        unsafe { Media::timeGetTime() }
    }

    fn get_tick_count(&self) -> u32 {
        // SAFETY: no pointers.
        unsafe { SystemInformation::GetTickCount() }
    }

    fn get_tick_count64(&self) -> Result<u64, Win32Error> {
        // SAFETY: no pointers.
        Ok(unsafe { SystemInformation::GetTickCount64() })
    }

    fn get_system_time_as_file_time(&self) -> SystemTime {
        let mut time = FILETIME::default();
        // SAFETY: `time` is valid for writing.
        unsafe { SystemInformation::GetSystemTimeAsFileTime(&raw mut time) };
        system_time(time)
    }

    fn get_system_time_precise_as_file_time(&self) -> Result<SystemTime, Win32Error> {
        let mut time = FILETIME::default();
        // SAFETY: `time` is valid for writing.
        unsafe { SystemInformation::GetSystemTimePreciseAsFileTime(&raw mut time) };
        Ok(system_time(time))
    }

    fn get_system_time_adjustment(&self) -> Result<TimeAdjustment, Win32Error> {
        let (mut adjustment, mut increment, mut is_disabled) = (0, 0, FALSE);
        // SAFETY: all three are valid for writing.
        succeeded(unsafe {
            SystemInformation::GetSystemTimeAdjustment(
                &raw mut adjustment,
                &raw mut increment,
                &raw mut is_disabled,
            )
        })?;
        Ok(TimeAdjustment {
            adjustment,
            increment,
            is_disabled: is_disabled != FALSE,
        })
    }

    fn query_interrupt_time(&self) -> Result<u64, Win32Error> {
        interrupt_time(Procedures::of_this_windows().interrupt_time)
    }

    fn query_interrupt_time_precise(&self) -> Result<u64, Win32Error> {
        interrupt_time(Procedures::of_this_windows().interrupt_time_precise)
    }

    fn query_unbiased_interrupt_time(&self) -> Result<u64, Win32Error> {
        let query = Procedures::of_this_windows().unbiased_time;
        let query = query.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let mut time = 0;
        // SAFETY: `time` is valid for writing.
        succeeded(unsafe { query(&raw mut time) })?;
        Ok(time)
    }

    fn query_unbiased_interrupt_time_precise(&self) -> Result<u64, Win32Error> {
        interrupt_time(Procedures::of_this_windows().unbiased_time_precise)
    }

    fn get_system_directory_w(&self) -> Result<PathBuf, Win32Error> {
        // A system folder is no longer, as programs must be able to name it.
        let mut path = [0; MAX_PATH as usize];
        // SAFETY: `path` is valid for writing, with the size given.
        match unsafe { SystemInformation::GetSystemDirectoryW(path.as_mut_ptr(), MAX_PATH) } {
            0 => Err(last_error()),
            // It is the size that the path would need.
            length if length >= MAX_PATH => Err(Win32Error::LastError(ERROR_FILENAME_EXCED_RANGE)),
            length => Ok(OsString::from_wide(&path[..length as usize]).into()),
        }
    }
}

fn interrupt_time(query: Option<QueryTime>) -> Result<u64, Win32Error> {
    let query = query.ok_or(Win32Error::PROC_NOT_FOUND)?;
    let mut time = 0;
    // SAFETY: `time` is valid for writing.
    unsafe { query(&raw mut time) };
    Ok(time)
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
fn file_time(units: u64) -> FILETIME {
    FILETIME {
        dwLowDateTime: units as u32,
        dwHighDateTime: (units >> 32) as u32,
    }
}

fn system_time(time: FILETIME) -> SystemTime {
    SystemTime(u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
}

/// What `GetLastError` says about the call just made.
fn last_error() -> Win32Error {
    // SAFETY: no pointers.
    Win32Error::LastError(unsafe { GetLastError() })
}

/// For functions that return zero when they have failed.
fn succeeded(result: BOOL) -> Result<(), Win32Error> {
    match result {
        FALSE => Err(last_error()),
        _ => Ok(()),
    }
}

/// For functions of ntdll.
fn status(status: i32) -> Result<(), Win32Error> {
    match status {
        0 => Ok(()),
        error => Err(Win32Error::NtStatus(error)),
    }
}
