//! The power plan. It decides how fast processors run and how deeply they sleep.

use crate::Environment;
use std::ptr;
use windows_sys::Win32::Foundation::{ERROR_SUCCESS, LocalFree};
use windows_sys::Win32::System::Power::{PowerGetActiveScheme, PowerReadFriendlyName};
use windows_sys::core::GUID;

/// Longer than any plan's name.
const MOST_UNITS: usize = 256;

pub(super) fn read(environment: &mut Environment) {
    match active_plan() {
        Ok(plan) => environment.power_plan = Some(plan),
        Err(code) => environment
            .not_known
            .push(format!("the power plan: the query failed (error {code})")),
    }
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/powersetting/nf-powersetting-powergetactivescheme>
fn active_plan() -> Result<String, u32> {
    let mut plan: *mut GUID = ptr::null_mut();
    // SAFETY: the key must be null, and `plan` is valid for writing.
    let found = unsafe { PowerGetActiveScheme(ptr::null_mut(), &raw mut plan) };
    if found != ERROR_SUCCESS || plan.is_null() {
        return Err(found);
    }
    let name = friendly_name(plan);
    // SAFETY: the system allocated it for us, and its documentation says to free it like this.
    unsafe { LocalFree(plan.cast()) };
    name
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/powrprof/nf-powrprof-powerreadfriendlyname>
fn friendly_name(plan: *const GUID) -> Result<String, u32> {
    let mut units = [0_u16; MOST_UNITS];
    let mut bytes = u32::try_from(size_of_val(&units)).unwrap_or(0);
    let (key, no_group, no_setting) = (ptr::null_mut(), ptr::null(), ptr::null());
    let into = units.as_mut_ptr().cast();
    // SAFETY: `plan` is valid for reading, `into` for writing `bytes` bytes; the others may be
    // null.
    let read =
        unsafe { PowerReadFriendlyName(key, plan, no_group, no_setting, into, &raw mut bytes) };
    if read != ERROR_SUCCESS {
        return Err(read);
    }
    let length = (bytes as usize / size_of::<u16>()).min(MOST_UNITS);
    let name = String::from_utf16_lossy(&units[..length]);
    Ok(name.trim_end_matches('\0').to_owned())
}
