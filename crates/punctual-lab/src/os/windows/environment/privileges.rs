//! What this program may do.

use crate::Environment;
use std::ptr;
use windows_sys::Win32::Foundation::CloseHandle;
use windows_sys::Win32::Security::{
    GetTokenInformation, TOKEN_ELEVATION, TOKEN_QUERY, TokenElevation,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

pub(super) fn read(environment: &mut Environment) {
    environment.superuser = is_elevated();
    // Any thread may, within its process's class; the real-time class is not used.
    environment.may_raise_priority = Some(true);
}

/// Whether this program runs with an administrator's rights.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/securitybaseapi/nf-securitybaseapi-gettokeninformation>
fn is_elevated() -> Option<bool> {
    let mut token = ptr::null_mut();
    // SAFETY: no pointers.
    let own = unsafe { GetCurrentProcess() };
    // SAFETY: `token` is valid for writing.
    if unsafe { OpenProcessToken(own, TOKEN_QUERY, &raw mut token) } == 0 {
        return None;
    }
    let mut elevation = TOKEN_ELEVATION { TokenIsElevated: 0 };
    let size = u32::try_from(size_of::<TOKEN_ELEVATION>()).unwrap_or(0);
    let (into, mut length) = ((&raw mut elevation).cast(), 0);
    // SAFETY: `into` is valid for writing, with the size and of the class given; so is `length`.
    let known = unsafe { GetTokenInformation(token, TokenElevation, into, size, &raw mut length) };
    // SAFETY: the token is open and only ours.
    unsafe { CloseHandle(token) };
    (known != 0).then_some(elevation.TokenIsElevated != 0)
}
