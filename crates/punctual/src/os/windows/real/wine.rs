//! Whether this Windows is Wine, whose timing is another system's.

use super::Real;
use std::ffi::{CStr, c_char};

/// `wine_get_version`: Wine's ntdll has it so that programs can tell, and Windows' has not.
/// <https://gitlab.winehq.org/wine/wine/-/wikis/Developer-FAQ>
pub(super) type GetVersion = unsafe extern "C" fn() -> *const c_char;

impl Real {
    /// Wine's version, such as `8.0`; `None` on a real Windows.
    pub fn wine_version(&self) -> Option<String> {
        let get_version = self.procedures.lab.wine_version?;
        // SAFETY: no parameters.
        let version = unsafe { get_version() };
        if version.is_null() {
            return None;
        }
        // SAFETY: a text of Wine's own, which ends with a zero and lasts as long as the process.
        let version = unsafe { CStr::from_ptr(version) };
        Some(version.to_string_lossy().into_owned())
    }
}
