//! Windows' own functions and structures, as far as they are called, declared by hand: names, types
//! and order of parameters are those of the pages linked.
//!
//! What is documented and as old as the first Windows 10 is linked; the rest has a type here, and is
//! looked for in [`procedures`](super::procedures) when a program runs.

#![allow(
    non_snake_case,
    non_camel_case_types,
    clippy::upper_case_acronyms,
    reason = "the names that Windows gives"
)]

use std::ffi::c_void;

pub type BOOL = i32;
pub type HANDLE = *mut c_void;

pub const FALSE: BOOL = 0;

/// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/ns-timeapi-timecaps>
#[repr(C)]
#[derive(Default)]
pub struct TIMECAPS {
    pub wPeriodMin: u32,
    pub wPeriodMax: u32,
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/ns-processthreadsapi-process_power_throttling_state>
#[repr(C)]
#[derive(Default)]
pub struct PROCESS_POWER_THROTTLING_STATE {
    pub Version: u32,
    pub ControlMask: u32,
    pub StateMask: u32,
}

/// `PROCESS_POWER_THROTTLING_CURRENT_VERSION`.
pub const THROTTLING_VERSION: u32 = 1;

/// `ProcessPowerThrottling`, of
/// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/ne-processthreadsapi-process_information_class>
pub const PROCESS_POWER_THROTTLING: i32 = 4;

pub const WAIT_OBJECT_0: u32 = 0;
pub const WAIT_ABANDONED_0: u32 = 0x80;
pub const WAIT_TIMEOUT: u32 = 258;
pub const WAIT_FAILED: u32 = u32::MAX;

/// `THREAD_PRIORITY_ERROR_RETURN`.
pub const NO_PRIORITY: i32 = i32::MAX;

/// `LOAD_LIBRARY_SEARCH_SYSTEM32`: from the system's own folder, whatever else lies about.
pub const FROM_SYSTEM32: u32 = 0x800;

#[link(name = "kernel32")]
unsafe extern "system" {
    /// <https://learn.microsoft.com/en-us/windows/win32/api/profileapi/nf-profileapi-queryperformancecounter>
    pub fn QueryPerformanceCounter(count: *mut i64) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/profileapi/nf-profileapi-queryperformancefrequency>
    pub fn QueryPerformanceFrequency(frequency: *mut i64) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/errhandlingapi/nf-errhandlingapi-getlasterror>
    pub fn GetLastError() -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createeventw>
    pub fn CreateEventW(
        attributes: *const c_void,
        manual_reset: BOOL,
        initial_state: BOOL,
        name: *const u16,
    ) -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setevent>
    pub fn SetEvent(event: HANDLE) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-resetevent>
    pub fn ResetEvent(event: HANDLE) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject>
    pub fn WaitForSingleObject(object: HANDLE, milliseconds: u32) -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitformultipleobjects>
    pub fn WaitForMultipleObjects(
        count: u32,
        objects: *const HANDLE,
        wait_all: BOOL,
        milliseconds: u32,
    ) -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerw>
    pub fn CreateWaitableTimerW(
        attributes: *const c_void,
        manual_reset: BOOL,
        name: *const u16,
    ) -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw>
    pub fn CreateWaitableTimerExW(
        attributes: *const c_void,
        name: *const u16,
        flags: u32,
        desired_access: u32,
    ) -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer>
    pub fn SetWaitableTimer(
        timer: HANDLE,
        due_time: *const i64,
        period: i32,
        completion_routine: *const c_void,
        argument: *const c_void,
        resume: BOOL,
    ) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimerex>
    pub fn SetWaitableTimerEx(
        timer: HANDLE,
        due_time: *const i64,
        period: i32,
        completion_routine: *const c_void,
        argument: *const c_void,
        wake_context: *const c_void,
        tolerable_delay: u32,
    ) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-cancelwaitabletimer>
    pub fn CancelWaitableTimer(timer: HANDLE) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentprocess>
    pub fn GetCurrentProcess() -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentthread>
    pub fn GetCurrentThread() -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentthreadid>
    pub fn GetCurrentThreadId() -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentprocessornumber>
    pub fn GetCurrentProcessorNumber() -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-switchtothread>
    pub fn SwitchToThread() -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getthreadpriority>
    pub fn GetThreadPriority(thread: HANDLE) -> i32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-setthreadpriority>
    pub fn SetThreadPriority(thread: HANDLE, priority: i32) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winbase/nf-winbase-getprocessaffinitymask>
    pub fn GetProcessAffinityMask(process: HANDLE, own: *mut usize, system: *mut usize) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winbase/nf-winbase-setthreadaffinitymask>
    pub fn SetThreadAffinityMask(thread: HANDLE, mask: usize) -> usize;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/libloaderapi/nf-libloaderapi-getmodulehandlea>
    pub fn GetModuleHandleA(name: *const u8) -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/libloaderapi/nf-libloaderapi-loadlibraryexa>
    pub fn LoadLibraryExA(name: *const u8, file: HANDLE, flags: u32) -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/libloaderapi/nf-libloaderapi-getprocaddress>
    pub fn GetProcAddress(module: HANDLE, name: *const u8) -> *const c_void;
}

#[link(name = "winmm")]
unsafe extern "system" {
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timebeginperiod>
    pub fn timeBeginPeriod(period: u32) -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timeendperiod>
    pub fn timeEndPeriod(period: u32) -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timegetdevcaps>
    pub fn timeGetDevCaps(caps: *mut TIMECAPS, size: u32) -> u32;
}

/// `NtQueryTimerResolution`, which has no page; its kernel's side has, with the same order:
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-exquerytimerresolution>
pub type QueryTimerResolution =
    unsafe extern "system" fn(maximum: *mut u32, minimum: *mut u32, current: *mut u32) -> i32;
/// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getprocessinformation>
pub type GetProcessInformation = unsafe extern "system" fn(
    process: HANDLE,
    class: i32,
    information: *mut c_void,
    size: u32,
) -> BOOL;
/// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-setprocessinformation>
pub type SetProcessInformation = unsafe extern "system" fn(
    process: HANDLE,
    class: i32,
    information: *const c_void,
    size: u32,
) -> BOOL;
/// <https://learn.microsoft.com/en-us/windows/win32/api/avrt/nf-avrt-avsetmmthreadcharacteristicsw>
pub type AvSetMmThreadCharacteristics =
    unsafe extern "system" fn(task_name: *const u16, task_index: *mut u32) -> HANDLE;
/// <https://learn.microsoft.com/en-us/windows/win32/api/avrt/nf-avrt-avrevertmmthreadcharacteristics>
pub type AvRevertMmThreadCharacteristics = unsafe extern "system" fn(task: HANDLE) -> BOOL;

// The sizes and places that the headers of the Windows SDK give.
const _: () = assert!(size_of::<TIMECAPS>() == 8);
const _: () = assert!(std::mem::offset_of!(TIMECAPS, wPeriodMax) == 4);
const _: () = assert!(size_of::<PROCESS_POWER_THROTTLING_STATE>() == 12);
const _: () = assert!(std::mem::offset_of!(PROCESS_POWER_THROTTLING_STATE, ControlMask) == 4);
const _: () = assert!(std::mem::offset_of!(PROCESS_POWER_THROTTLING_STATE, StateMask) == 8);
const _: () = assert!(size_of::<HANDLE>() == size_of::<isize>());
