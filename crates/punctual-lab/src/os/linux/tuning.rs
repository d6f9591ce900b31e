//! What a program can request from Linux so that its waits end sooner: processors that do not sleep
//! deeply, and memory that stays in place.

use crate::machine::Tuning;
use punctual::Error;
use rustix::io::Errno;
use rustix::mm::{MlockAllFlags, mlockall, munlockall};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};

/// The longest time that processors may take to leave an idle state. It applies while the file is
/// open.
///
/// <https://docs.kernel.org/power/pm_qos_interface.html>
pub(super) const LATENCY: &str = "/dev/cpu_dma_latency";

/// Gives the device to the current user only, until the next boot.
pub(super) const PERMIT_LATENCY: &str = "sudo chown \"$USER\" /dev/cpu_dma_latency";

/// Raises the limit of the shell that starts the program.
pub(super) const PERMIT_LOCKING: &str = "sudo prlimit --pid $$ --memlock=unlimited";

/// Holds both. On drop, memory is unlocked first, in the order of the declarations.
struct Tuned {
    _locked: LockedMemory,
    /// The setting ends when this is closed, whichever way the process ends.
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
    /// In microseconds, as a 32-bit number in the machine's byte order.
    const NONE_AT_ALL: i32 = 0;
    let opened = OpenOptions::new().write(true).open(LATENCY);
    let mut latency = opened.map_err(|error| refusal(&error))?;
    let written = latency.write_all(&NONE_AT_ALL.to_ne_bytes());
    written.map_err(|error| Error::system(format!("{LATENCY} refused the latency: {error}")))?;
    Ok(latency)
}

fn refusal(error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::unsupported(format!(
            "there is no {LATENCY}; to give a container this file, start it with \
             --device {LATENCY}"
        )),
        ErrorKind::PermissionDenied => Error::not_permitted(format!(
            "writing {LATENCY} is not permitted; to permit it until the next boot: {PERMIT_LATENCY}"
        )),
        _ => Error::system(format!("{LATENCY} cannot be opened: {error}")),
    }
}

/// Locks all memory that the process has now.
pub(super) struct LockedMemory;

impl LockedMemory {
    /// Memory that is mapped later is not locked. Beyond a limit on locked memory, locked memory
    /// could not be mapped at all, and a program without memory ends.
    pub(super) fn lock() -> Result<Self, Error> {
        let locked = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT);
        locked.map(|()| Self).map_err(|error| match error {
            Errno::PERM | Errno::NOMEM | Errno::AGAIN => Error::not_permitted(format!(
                "locking memory is not permitted ({error}); to permit it for programs of this shell: \
                 {PERMIT_LOCKING}"
            )),
            _ => Error::system(format!("mlockall failed: {error}")),
        })
    }
}

impl Drop for LockedMemory {
    fn drop(&mut self) {
        // Unlocking cannot do harm.
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
