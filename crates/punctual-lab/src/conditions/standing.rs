//! What a process on a real machine can be, and can tell Windows, of its standing.

use punctual::Error;
use punctual::os::windows::{Win32, Win32Error};
use punctual_windows::{Standing, Throttling};

/// Why no program on a real machine can be hidden.
pub(crate) fn not_hidden() -> Error {
    Error::unsupported(
        "Windows decides by a program's windows whether it is hidden, and Punctual has none; \
         only a simulated process can be said to be hidden",
    )
}

/// Checks that a process on a real machine can have this standing. `has_interval` says whether the system has a timer
/// interval that programs can request.
pub(crate) fn as_process(standing: Standing, has_interval: bool) -> Result<(), Error> {
    if !has_interval {
        return Err(Error::unsupported(
            "only Windows 11 has a rule for the requests of hidden processes",
        ));
    }
    match standing.hidden {
        true => Err(not_hidden()),
        false => Ok(()),
    }
}

/// Tells it to Windows, for the calling process.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) before Windows 11.
pub(crate) fn tell<W: Win32>(throttling: Throttling, win32: &W) -> Result<(), Error> {
    let found = win32.get_process_information().unwrap_or_default();
    let told = win32.set_process_information(throttling.setting(found));
    told.map_err(|error| match error {
        Win32Error::PROC_NOT_FOUND | Win32Error::INVALID_PARAMETER => {
            Error::unsupported("this Windows does not know it; Windows 11 does")
        }
        error => Error::system(format!("SetProcessInformation failed: {error}")),
    })
}
