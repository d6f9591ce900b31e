//! Functions that are looked for when a program runs: those that have no page of their own, and those that not every
//! Windows has.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};
use windows_sys::core::BOOL;

/// `NtSetTimerResolution`, which has no page; its kernel's side is described at
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-exsettimerresolution>
type SetTimerResolution =
    unsafe extern "system" fn(desired: u32, set: u8, current: *mut u32) -> i32;
/// `NtDelayExecution`, which has no page; its kernel's side is described at
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
type DelayExecution = unsafe extern "system" fn(alertable: u8, delay: *const i64) -> i32;
/// `WaitOnAddress`: <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitonaddress>
type WaitOnAddress = unsafe extern "system" fn(
    address: *const c_void,
    compare: *const c_void,
    size: usize,
    milliseconds: u32,
) -> BOOL;
/// `wine_get_version`: Wine's ntdll has it so that programs can tell, and Windows' has not.
/// <https://gitlab.winehq.org/wine/wine/-/wikis/Developer-FAQ>
type GetVersion = unsafe extern "C" fn() -> *const c_char;
/// `QueryInterruptTime`, `QueryInterruptTimePrecise` and `QueryUnbiasedInterruptTimePrecise`:
/// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/>
pub(super) type QueryTime = unsafe extern "system" fn(time: *mut u64);
/// `QueryUnbiasedInterruptTime`, which could fail:
/// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryunbiasedinterrupttime>
type TryQueryTime = unsafe extern "system" fn(time: *mut u64) -> BOOL;

/// What was found.
pub(super) struct Procedures {
    pub(super) set_timer_resolution: Option<SetTimerResolution>,
    pub(super) delay_execution: Option<DelayExecution>,
    pub(super) wait_on_address: Option<WaitOnAddress>,
    pub(super) wine_version: Option<GetVersion>,
    pub(super) interrupt_time: Option<QueryTime>,
    pub(super) interrupt_time_precise: Option<QueryTime>,
    pub(super) unbiased_time: Option<TryQueryTime>,
    pub(super) unbiased_time_precise: Option<QueryTime>,
}

impl Procedures {
    /// Those of the Windows that this program runs on. They stay where they are: their libraries are loaded for as long
    /// as the process lives.
    pub(super) fn of_this_windows() -> &'static Self {
        static FOUND: OnceLock<Procedures> = OnceLock::new();
        FOUND.get_or_init(Self::find)
    }

    fn find() -> Self {
        let ntdll = c"ntdll.dll";
        // What kernel32 is made of; it alone has the newer of these.
        let base = c"kernelbase.dll";
        Self {
            // SAFETY: the type is the one that this function has.
            set_timer_resolution: unsafe { function(ntdll, c"NtSetTimerResolution") },
            // SAFETY: as above.
            delay_execution: unsafe { function(ntdll, c"NtDelayExecution") },
            // SAFETY: as above.
            wait_on_address: unsafe { function(base, c"WaitOnAddress") },
            // SAFETY: as above.
            wine_version: unsafe { function(ntdll, c"wine_get_version") },
            // SAFETY: as above.
            interrupt_time: unsafe { function(base, c"QueryInterruptTime") },
            // SAFETY: as above.
            interrupt_time_precise: unsafe { function(base, c"QueryInterruptTimePrecise") },
            // SAFETY: as above.
            unbiased_time: unsafe { function(base, c"QueryUnbiasedInterruptTime") },
            // SAFETY: as above.
            unbiased_time_precise: unsafe { function(base, c"QueryUnbiasedInterruptTimePrecise") },
        }
    }
}

/// The function of this name in a library that every process has.
///
/// # Safety
/// `F` is a pointer to a function of the type that the library has by this name.
unsafe fn function<F: Copy>(library: &CStr, name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
    // SAFETY: the name ends with a zero byte.
    let module = unsafe { GetModuleHandleA(library.as_ptr().cast()) };
    if module.is_null() {
        return None;
    }
    // SAFETY: the library is loaded, and the name ends with a zero byte.
    let found = unsafe { GetProcAddress(module, name.as_ptr().cast()) };
    // SAFETY: of the same size, and of the type that the caller vouches for.
    found.map(|found| unsafe { std::mem::transmute_copy(&found) })
}
