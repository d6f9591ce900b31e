//! What a program may ask of Linux so that its waits end sooner: processors that do not sleep
//! deeply, and memory that stays.

use crate::machine::Tuning;
use punctual::Error;
use rustix::io::Errno;
use rustix::mm::{MlockAllFlags, mlockall, munlockall};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};

/// The longest that processors may take to leave an idle state, for as long as it is held open.
/// <https://docs.kernel.org/power/pm_qos_interface.html>
pub(super) const LATENCY: &str = "/dev/cpu_dma_latency";

/// Gives the device to who asks, and to nobody else, until the next boot.
pub(super) const PERMIT_LATENCY: &str = "sudo chown \"$USER\" /dev/cpu_dma_latency";

/// Lifts the limit of the shell from which the program is run.
pub(super) const PERMIT_LOCKING: &str = "sudo prlimit --pid $$ --memlock=unlimited";

/// Both held. Dropped, memory is unlocked first: the order of the declarations.
struct Tuned {
    _locked: LockedMemory,
    /// Closing it is what gives it back, however the process ends.
    _latency: File,
}

impl Tuning for Tuned {}

pub(super) fn tune() -> Result<impl Tuning + use<>, Error> {
    let latency = hold_latency()?;
    Ok(Tuned {
        _locked: LockedMemory::lock()?,
        _latency: latency,
    })
}

pub(super) fn hold_latency() -> Result<File, Error> {
    /// In microseconds, a 32-bit number of the machine's own byte order.
    const NONE_AT_ALL: i32 = 0;
    let opened = OpenOptions::new().write(true).open(LATENCY);
    let mut latency = opened.map_err(|error| refusal(&error))?;
    let written = latency.write_all(&NONE_AT_ALL.to_ne_bytes());
    written.map_err(|error| Error::system(format!("{LATENCY} takes no latency: {error}")))?;
    Ok(latency)
}

fn refusal(error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::unsupported(format!(
            "there is no {LATENCY}; a container has it if it is started with \
             --device {LATENCY}"
        )),
        ErrorKind::PermissionDenied => Error::not_permitted(format!(
            "{LATENCY} may not be written; to permit it until the next boot: {PERMIT_LATENCY}"
        )),
        _ => Error::system(format!("{LATENCY} cannot be opened: {error}")),
    }
}

/// All memory that the process has, in place.
pub(super) struct LockedMemory;

impl LockedMemory {
    /// What is mapped later is not locked: beyond a limit on locked memory it could not be mapped at
    /// all, and a program that cannot have memory ends.
    pub(super) fn lock() -> Result<Self, Error> {
        let locked = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT);
        locked.map(|()| Self).map_err(|error| match error {
            Errno::PERM | Errno::NOMEM | Errno::AGAIN => Error::not_permitted(format!(
                "memory may not be locked ({error}); to permit it to what this shell runs: \
                 {PERMIT_LOCKING}"
            )),
            _ => Error::system(format!("mlockall failed: {error}")),
        })
    }
}

impl Drop for LockedMemory {
    fn drop(&mut self) {
        // It only lets memory be given away again.
        let _ = munlockall();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_the_command_that_would_permit_it() {
        let denied = refusal(&ErrorKind::PermissionDenied.into());
        assert!(denied.is_not_permitted());
        assert!(denied.to_string().contains(PERMIT_LATENCY), "{denied}");
        let missing = refusal(&ErrorKind::NotFound.into());
        assert!(missing.is_unsupported());
        assert!(missing.to_string().contains("--device"), "{missing}");
    }

    #[test]
    fn a_machine_is_tuned_or_says_what_would_permit_it() {
        match tune() {
            Ok(held) => drop(held),
            Err(error) if error.is_not_permitted() => {
                assert!(error.to_string().contains("sudo "), "{error}");
                println!("skipped: {error}");
            }
            Err(error) => {
                assert!(error.to_string().contains(LATENCY), "{error}");
                println!("skipped: {error}");
            }
        }
    }
}
