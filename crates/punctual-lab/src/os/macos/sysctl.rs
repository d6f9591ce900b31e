//! Values that the kernel tells by name:
//! <https://developer.apple.com/documentation/kernel/1387446-sysctlbyname>.

use std::ffi::CStr;
use std::ptr;

/// A text, without the zero at its end; `None` if it is missing or empty.
pub(super) fn text(name: &CStr) -> Option<String> {
    /// Longer than any name of a machine or a version.
    const MOST_BYTES: usize = 256;
    let mut bytes = [0_u8; MOST_BYTES];
    let length = read(name, &mut bytes)?;
    let text = String::from_utf8_lossy(bytes.get(..length)?);
    let text = text.trim_matches(['\0', ' ']);
    (!text.is_empty()).then(|| text.to_owned())
}

/// A number of 32 bits.
pub(super) fn number(name: &CStr) -> Option<u32> {
    let mut bytes = [0_u8; size_of::<u32>()];
    let length = read(name, &mut bytes)?;
    (length == bytes.len()).then(|| u32::from_ne_bytes(bytes))
}

/// Reads into the bytes, and returns the number of bytes.
fn read(name: &CStr, bytes: &mut [u8]) -> Option<usize> {
    let mut length = bytes.len();
    // SAFETY: the name ends with a zero; `length` bytes are valid for writing; nothing is written
    // to the system.
    let result = unsafe {
        libc::sysctlbyname(
            name.as_ptr(),
            bytes.as_mut_ptr().cast(),
            &raw mut length,
            ptr::null_mut(),
            0,
        )
    };
    (result == 0).then_some(length)
}
