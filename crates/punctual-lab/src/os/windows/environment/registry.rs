//! Values of the registry that every program may read.

use std::ptr;
use windows_sys::Win32::Foundation::ERROR_SUCCESS;
use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, RRF_RT_REG_DWORD, RRF_RT_REG_SZ, RegGetValueW,
};

/// Longer than any name of a processor or a product.
const MOST_UNITS: usize = 256;

/// A text, without the spaces around it; `None` if it is missing or empty.
pub(super) fn text(key: &str, name: &str) -> Option<String> {
    let mut units = [0_u16; MOST_UNITS];
    let length = get(key, name, RRF_RT_REG_SZ, &mut units)? / size_of::<u16>();
    let text = String::from_utf16_lossy(&units[..length.min(MOST_UNITS)]);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// A number.
pub(super) fn number(key: &str, name: &str) -> Option<u32> {
    let mut number = [0_u32];
    get(key, name, RRF_RT_REG_DWORD, &mut number)?;
    Some(number[0])
}

/// Reads a value of this type and returns its length in bytes.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/winreg/nf-winreg-reggetvaluew>
fn get<T>(key: &str, name: &str, kind: u32, into: &mut [T]) -> Option<usize> {
    let (key, name) = (wide(key), wide(name));
    let mut length = u32::try_from(size_of_val(into)).ok()?;
    // SAFETY: both texts end with a zero, `into` is valid for writing `length` bytes, and any bytes
    // are a valid value of its plain numbers.
    let result = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            name.as_ptr(),
            kind,
            ptr::null_mut(),
            into.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    (result == ERROR_SUCCESS).then_some(length as usize)
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";

    #[test]
    fn what_every_windows_has_is_read_and_what_none_has_is_not() {
        assert!(text(VERSION, "CurrentBuildNumber").is_some());
        assert_eq!(text(VERSION, "No Such Value"), None);
        assert_eq!(number(VERSION, "CurrentBuildNumber"), None, "it is a text");
    }
}
