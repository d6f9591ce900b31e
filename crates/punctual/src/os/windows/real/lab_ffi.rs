//! The functions that only experiments call, declared as those in [`ffi`](super::ffi) are.

#![allow(
    non_snake_case,
    non_camel_case_types,
    clippy::upper_case_acronyms,
    reason = "the names that Windows gives"
)]

use super::ffi::{BOOL, FILETIME, HANDLE};
use std::ffi::c_void;

/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/ns-winuser-msg>
#[repr(C)]
pub struct MSG {
    pub hwnd: HANDLE,
    pub message: u32,
    pub wParam: usize,
    pub lParam: isize,
    pub time: u32,
    pub x: i32,
    pub y: i32,
}

/// `WAITORTIMERCALLBACK`: <https://learn.microsoft.com/en-us/previous-versions/windows/desktop/legacy/ms687066(v=vs.85)>
pub type WaitOrTimerCallback = unsafe extern "system" fn(parameter: usize, fired: u8);
/// `LPTIMECALLBACK`: <https://learn.microsoft.com/en-us/previous-versions/ff728861(v=vs.85)>
pub type TimeCallback =
    unsafe extern "system" fn(timer: u32, message: u32, user: usize, dw1: usize, dw2: usize);
/// `PTP_TIMER_CALLBACK`: <https://learn.microsoft.com/en-us/previous-versions/windows/desktop/legacy/ms686790(v=vs.85)>
pub type PoolCallback =
    unsafe extern "system" fn(instance: *mut c_void, context: usize, timer: HANDLE);

/// `TIME_PERIODIC`; without it, a multimedia timer fires once.
pub const TIME_PERIODIC: u32 = 1;

/// For `completion_event`, `INVALID_HANDLE_VALUE`: wait for a callback that is under way.
pub const WAIT_FOR_CALLBACKS: HANDLE = std::ptr::without_provenance_mut(usize::MAX);

#[link(name = "kernel32")]
unsafe extern "system" {
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep>
    pub fn Sleep(milliseconds: u32);
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleepex>
    pub fn SleepEx(milliseconds: u32, alertable: BOOL) -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-createtimerqueuetimer>
    pub fn CreateTimerQueueTimer(
        timer: *mut HANDLE,
        queue: HANDLE,
        callback: WaitOrTimerCallback,
        parameter: usize,
        due_time: u32,
        period: u32,
        flags: u32,
    ) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-deletetimerqueuetimer>
    pub fn DeleteTimerQueueTimer(queue: HANDLE, timer: HANDLE, completion_event: HANDLE) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-createthreadpooltimer>
    pub fn CreateThreadpoolTimer(
        callback: PoolCallback,
        context: usize,
        environment: *const c_void,
    ) -> HANDLE;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer>
    pub fn SetThreadpoolTimer(timer: HANDLE, due: *const FILETIME, period: u32, window: u32);
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-waitforthreadpooltimercallbacks>
    pub fn WaitForThreadpoolTimerCallbacks(timer: HANDLE, cancel_pending: BOOL);
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-closethreadpooltimer>
    pub fn CloseThreadpoolTimer(timer: HANDLE);
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-gettickcount>
    pub fn GetTickCount() -> u32;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-gettickcount64>
    pub fn GetTickCount64() -> u64;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimeasfiletime>
    pub fn GetSystemTimeAsFileTime(time: *mut FILETIME);
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimepreciseasfiletime>
    pub fn GetSystemTimePreciseAsFileTime(time: *mut FILETIME);
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimeadjustment>
    pub fn GetSystemTimeAdjustment(
        adjustment: *mut u32,
        increment: *mut u32,
        is_disabled: *mut BOOL,
    ) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemdirectoryw>
    pub fn GetSystemDirectoryW(buffer: *mut u16, size: u32) -> u32;
}

#[link(name = "winmm")]
unsafe extern "system" {
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timegettime>
    pub fn timeGetTime() -> u32;
    /// <https://learn.microsoft.com/en-us/previous-versions/dd757634(v=vs.85)>
    pub fn timeSetEvent(
        delay: u32,
        resolution: u32,
        callback: TimeCallback,
        user: usize,
        event: u32,
    ) -> u32;
    /// <https://learn.microsoft.com/en-us/previous-versions/dd757630(v=vs.85)>
    pub fn timeKillEvent(timer: u32) -> u32;
}

#[link(name = "user32")]
unsafe extern "system" {
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
    pub fn SetTimer(window: HANDLE, timer: usize, elapse: u32, function: *const c_void) -> usize;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-killtimer>
    pub fn KillTimer(window: HANDLE, timer: usize) -> BOOL;
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-getmessagew>
    pub fn GetMessageW(message: *mut MSG, window: HANDLE, least: u32, greatest: u32) -> BOOL;
}

/// `NtSetTimerResolution`, which has no page; its kernel's side is described at
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-exsettimerresolution>
pub type SetTimerResolution =
    unsafe extern "system" fn(desired: u32, set: u8, current: *mut u32) -> i32;
/// `NtDelayExecution`, which has no page; its kernel's side is described at
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
pub type DelayExecution = unsafe extern "system" fn(alertable: u8, delay: *const i64) -> i32;
/// `QueryInterruptTime`, `QueryInterruptTimePrecise` and `QueryUnbiasedInterruptTimePrecise`:
/// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/>
pub type QueryTime = unsafe extern "system" fn(time: *mut u64);
/// `QueryUnbiasedInterruptTime`, which could fail:
/// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryunbiasedinterrupttime>
pub type TryQueryTime = unsafe extern "system" fn(time: *mut u64) -> BOOL;

// The places that the headers of the Windows SDK give, for 64 and for 32 bits.
const POINTER: usize = size_of::<usize>();
const _: () = assert!(std::mem::offset_of!(MSG, wParam) == 2 * POINTER);
const _: () = assert!(std::mem::offset_of!(MSG, time) == 4 * POINTER);
const _: () = assert!(size_of::<MSG>() == if POINTER == 8 { 48 } else { 28 });
