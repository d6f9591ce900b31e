//! Functions that are looked for when a program runs, so that it starts where they are missing:
//! those that have no page of their own, those that came after the first Windows 10, and those of a
//! library that few programs need.

use super::ffi;
use super::module::Module;
use crate::os::native::windows::Win32Error;
use std::sync::OnceLock;

/// What was found. `None` is answered with [`Win32Error::PROC_NOT_FOUND`].
pub(super) struct Procedures {
    pub(super) query_timer_resolution: Option<ffi::QueryTimerResolution>,
    pub(super) get_process_information: Option<ffi::GetProcessInformation>,
    pub(super) set_process_information: Option<ffi::SetProcessInformation>,
    multimedia_class: OnceLock<Result<MultimediaClass, Win32Error>>,
}

/// The functions of avrt.dll.
#[derive(Clone, Copy)]
pub(super) struct MultimediaClass {
    pub(super) join: ffi::AvSetMmThreadCharacteristics,
    pub(super) revert: ffi::AvRevertMmThreadCharacteristics,
}

impl Procedures {
    pub(super) fn find() -> Self {
        let (kernel32, ntdll) = (
            Module::loaded(c"kernel32.dll"),
            Module::loaded(c"ntdll.dll"),
        );
        Self {
            // SAFETY: the type is the one that this function has.
            query_timer_resolution: unsafe { ntdll.function(c"NtQueryTimerResolution") },
            // SAFETY: as above.
            get_process_information: unsafe { kernel32.function(c"GetProcessInformation") },
            // SAFETY: as above.
            set_process_information: unsafe { kernel32.function(c"SetProcessInformation") },
            multimedia_class: OnceLock::new(),
        }
    }

    /// Loads avrt.dll when it is first wanted. It stays loaded, because a thread may be in its
    /// care.
    pub(super) fn multimedia_class(&self) -> Result<MultimediaClass, Win32Error> {
        *self.multimedia_class.get_or_init(|| {
            let avrt = Module::load(c"avrt.dll")?;
            // SAFETY: the type is the one that this function has.
            let join = unsafe { avrt.function(c"AvSetMmThreadCharacteristicsW") };
            // SAFETY: as above.
            let revert = unsafe { avrt.function(c"AvRevertMmThreadCharacteristics") };
            Ok(MultimediaClass {
                join: join.ok_or(Win32Error::PROC_NOT_FOUND)?,
                revert: revert.ok_or(Win32Error::PROC_NOT_FOUND)?,
            })
        })
    }
}
