//! What a program can request from Linux so that its waits end sooner: processors that do not sleep
//! deeply, and memory that stays in place.

use crate::machine::{Refused, Remedy, Tuning};
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

/// Holds both. On drop, memory is unlocked first, in the order of the declarations.
struct Tuned {
    _locked: LockedMemory,
    /// The setting ends when this is closed, whichever way the process ends.
    _latency: File,
}

impl Tuning for Tuned {}

pub(super) fn tune() -> Result<impl Tuning + use<>, Refused> {
    let latency = hold_latency()?;
    Ok(Tuned {
        _locked: LockedMemory::lock()?,
        _latency: latency,
    })
}

pub(super) fn hold_latency() -> Result<File, Refused> {
    /// In microseconds, as a 32-bit number in the machine's byte order.
    const NONE_AT_ALL: i32 = 0;
    let opened = OpenOptions::new().write(true).open(LATENCY);
    let mut latency = opened.map_err(|error| refusal(&error))?;
    let written = latency.write_all(&NONE_AT_ALL.to_ne_bytes());
    match written {
        Ok(()) => Ok(latency),
        Err(error) => Err(Error::system(format!("{LATENCY} refused the latency: {error}")).into()),
    }
}

fn refusal(error: &io::Error) -> Refused {
    match error.kind() {
        ErrorKind::NotFound => Refused {
            error: Error::unsupported(format!("there is no {LATENCY}")),
            remedy: Some(Remedy::AddLatencyDevice),
        },
        ErrorKind::PermissionDenied => Refused {
            error: Error::not_permitted(format!("writing {LATENCY} is not permitted")),
            remedy: Some(Remedy::PermitLatency { contained: false }),
        },
        _ => Error::system(format!("{LATENCY} cannot be opened: {error}")).into(),
    }
}

/// Locks all memory that the process has now.
pub(super) struct LockedMemory;

impl LockedMemory {
    /// Memory that is mapped later is not locked. Beyond a limit on locked memory, locked memory could
    /// not be mapped at all, and a program without memory ends.
    pub(super) fn lock() -> Result<Self, Refused> {
        let locked = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT);
        locked.map(|()| Self).map_err(|error| match error {
            Errno::PERM | Errno::NOMEM | Errno::AGAIN => Refused {
                error: Error::not_permitted(format!("locking memory is not permitted ({error})")),
                remedy: Some(Remedy::PermitLocking { contained: false }),
            },
            _ => Error::system(format!("mlockall failed: {error}")).into(),
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
    fn a_refusal_says_what_would_permit_it() {
        let denied = refusal(&ErrorKind::PermissionDenied.into());
        assert!(denied.error.is_not_permitted());
        let permit = Remedy::PermitLatency { contained: false };
        assert_eq!(denied.remedy, Some(permit));
        let missing = refusal(&ErrorKind::NotFound.into());
        assert!(missing.error.is_unsupported());
        assert_eq!(missing.remedy, Some(Remedy::AddLatencyDevice));
    }

    #[test]
    fn a_machine_is_tuned_or_says_what_would_permit_it() {
        match tune() {
            Ok(held) => drop(held),
            Err(refused) => {
                let error = &refused.error;
                let is_system = !error.is_not_permitted() && !error.is_unsupported();
                assert!(is_system || refused.remedy.is_some(), "{refused:?}");
                println!("skipped: {error}");
            }
        }
    }
}
