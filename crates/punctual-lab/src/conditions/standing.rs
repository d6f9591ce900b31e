//! What a process on a real machine can be.

use punctual::Error;
use punctual_windows::Standing;

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
