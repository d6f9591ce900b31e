//! Whether this Windows is Wine, whose timing is another system's.

use super::procedures::Procedures;
use std::ffi::CStr;

/// Wine's version, such as `8.0`; `None` on a real Windows.
pub fn wine_version() -> Option<String> {
    let get_version = Procedures::of_this_windows().wine_version?;
    // SAFETY: no parameters.
    let version = unsafe { get_version() };
    if version.is_null() {
        return None;
    }
    // SAFETY: a text of Wine's own, which ends with a zero and lasts as long as the process.
    let version = unsafe { CStr::from_ptr(version) };
    Some(version.to_string_lossy().into_owned())
}
