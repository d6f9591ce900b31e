//! The calls that only experiments make.

use super::callback_timers::{RealMultimediaTimer, RealPoolTimer, RealQueueTimer};
use super::ffi::{FALSE, FILETIME};
use super::module::Module;
use super::{Real, lab_ffi, last_error, status, succeeded, wine};
use crate::os::native::windows::{
    Message, SystemTime, TimeAdjustment, TimerCallback, TimerId, Win32Error, Win32Lab,
};
use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;

/// `MAX_PATH` of minwindef.h: a system folder is no longer, as programs must be able to name it.
const MAX_PATH: u32 = 260;

/// `ERROR_FILENAME_EXCED_RANGE` of winerror.h.
const FILENAME_EXCED_RANGE: Win32Error = Win32Error::LastError(206);

/// Those that have no page of their own, and those that this Windows may not have.
pub(super) struct Procedures {
    set_timer_resolution: Option<lab_ffi::SetTimerResolution>,
    delay_execution: Option<lab_ffi::DelayExecution>,
    pub(super) wine_version: Option<wine::GetVersion>,
    interrupt_time: Option<lab_ffi::QueryTime>,
    interrupt_time_precise: Option<lab_ffi::QueryTime>,
    unbiased_time: Option<lab_ffi::TryQueryTime>,
    unbiased_time_precise: Option<lab_ffi::QueryTime>,
}

impl Procedures {
    pub(super) fn find(ntdll: Module) -> Self {
        // What kernel32 is made of; it alone has the newer of these.
        let base = Module::loaded(c"kernelbase.dll");
        Self {
            // SAFETY: the type is the one that this function has.
            set_timer_resolution: unsafe { ntdll.function(c"NtSetTimerResolution") },
            // SAFETY: as above.
            delay_execution: unsafe { ntdll.function(c"NtDelayExecution") },
            // SAFETY: as above.
            wine_version: unsafe { ntdll.function(c"wine_get_version") },
            // SAFETY: as above.
            interrupt_time: unsafe { base.function(c"QueryInterruptTime") },
            // SAFETY: as above.
            interrupt_time_precise: unsafe { base.function(c"QueryInterruptTimePrecise") },
            // SAFETY: as above.
            unbiased_time: unsafe { base.function(c"QueryUnbiasedInterruptTime") },
            // SAFETY: as above.
            unbiased_time_precise: unsafe { base.function(c"QueryUnbiasedInterruptTimePrecise") },
        }
    }
}

impl Win32Lab for Real {
    type QueueTimer = RealQueueTimer;
    type PoolTimer = RealPoolTimer;
    type MultimediaTimer = RealMultimediaTimer;

    fn sleep(&self, milliseconds: u32) {
        // SAFETY: no pointers.
        unsafe { lab_ffi::Sleep(milliseconds) };
    }

    fn sleep_ex(&self, milliseconds: u32, alertable: bool) -> u32 {
        // SAFETY: no pointers.
        unsafe { lab_ffi::SleepEx(milliseconds, alertable.into()) }
    }

    fn nt_delay_execution(&self, alertable: bool, delay: i64) -> Result<(), Win32Error> {
        let delay_execution = self.procedures.lab.delay_execution;
        let delay_execution = delay_execution.ok_or(Win32Error::PROC_NOT_FOUND)?;
        // SAFETY: `delay` is valid for reading.
        status(unsafe { delay_execution(alertable.into(), &raw const delay) })
    }

    fn nt_set_timer_resolution(&self, desired: u32, set: bool) -> Result<u32, Win32Error> {
        let set_resolution = self.procedures.lab.set_timer_resolution;
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
        let (window, number, function) = (ptr::null_mut(), 0, ptr::null());
        // SAFETY: without a window, messages go to this thread's queue; the function may be null.
        match unsafe { lab_ffi::SetTimer(window, number, elapse, function) } {
            0 => Err(last_error()),
            timer => Ok(TimerId(timer)),
        }
    }

    fn kill_timer(&self, timer: TimerId) -> Result<(), Win32Error> {
        // SAFETY: the window may be null, and any number be given.
        succeeded(unsafe { lab_ffi::KillTimer(ptr::null_mut(), timer.0) })
    }

    fn get_message(&self) -> Result<Message, Win32Error> {
        let mut message = lab_ffi::MSG {
            hwnd: ptr::null_mut(),
            message: 0,
            wParam: 0,
            lParam: 0,
            time: 0,
            x: 0,
            y: 0,
        };
        // SAFETY: `message` is valid for writing; the window may be null; 0 and 0 are all messages.
        match unsafe { lab_ffi::GetMessageW(&raw mut message, ptr::null_mut(), 0, 0) } {
            -1 => Err(last_error()),
            _ => Ok(Message {
                message: message.message,
                w_param: message.wParam,
            }),
        }
    }

    fn time_get_time(&self) -> u32 {
        // SAFETY: no pointers.
        unsafe { lab_ffi::timeGetTime() }
    }

    fn get_tick_count(&self) -> u32 {
        // SAFETY: no pointers.
        unsafe { lab_ffi::GetTickCount() }
    }

    fn get_tick_count64(&self) -> Result<u64, Win32Error> {
        // SAFETY: no pointers.
        Ok(unsafe { lab_ffi::GetTickCount64() })
    }

    fn get_system_time_as_file_time(&self) -> SystemTime {
        let mut time = FILETIME::default();
        // SAFETY: `time` is valid for writing.
        unsafe { lab_ffi::GetSystemTimeAsFileTime(&raw mut time) };
        system_time(time)
    }

    fn get_system_time_precise_as_file_time(&self) -> Result<SystemTime, Win32Error> {
        let mut time = FILETIME::default();
        // SAFETY: `time` is valid for writing.
        unsafe { lab_ffi::GetSystemTimePreciseAsFileTime(&raw mut time) };
        Ok(system_time(time))
    }

    fn get_system_time_adjustment(&self) -> Result<TimeAdjustment, Win32Error> {
        let (mut adjustment, mut increment, mut is_disabled) = (0, 0, FALSE);
        // SAFETY: all three are valid for writing.
        succeeded(unsafe {
            lab_ffi::GetSystemTimeAdjustment(
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
        interrupt_time(self.procedures.lab.interrupt_time)
    }

    fn query_interrupt_time_precise(&self) -> Result<u64, Win32Error> {
        interrupt_time(self.procedures.lab.interrupt_time_precise)
    }

    fn query_unbiased_interrupt_time(&self) -> Result<u64, Win32Error> {
        let query = self.procedures.lab.unbiased_time;
        let query = query.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let mut time = 0;
        // SAFETY: `time` is valid for writing.
        succeeded(unsafe { query(&raw mut time) })?;
        Ok(time)
    }

    fn query_unbiased_interrupt_time_precise(&self) -> Result<u64, Win32Error> {
        interrupt_time(self.procedures.lab.unbiased_time_precise)
    }

    fn get_system_directory_w(&self) -> Result<PathBuf, Win32Error> {
        let mut path = [0; MAX_PATH as usize];
        // SAFETY: `path` is valid for writing, with the size given.
        match unsafe { lab_ffi::GetSystemDirectoryW(path.as_mut_ptr(), MAX_PATH) } {
            0 => Err(last_error()),
            // It is the size that the path would need.
            length if length >= MAX_PATH => Err(FILENAME_EXCED_RANGE),
            length => Ok(OsString::from_wide(&path[..length as usize]).into()),
        }
    }
}

fn interrupt_time(query: Option<lab_ffi::QueryTime>) -> Result<u64, Win32Error> {
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
