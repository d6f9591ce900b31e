//! Functions that are looked for when a program runs, so that it starts where they are missing:
//! those that have no page of their own, those that came after the first Windows 10, and those of a
//! library that few programs need.

use super::ffi;
use crate::os::native::windows::Win32Error;
use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

/// What was found. `None` is answered with [`Win32Error::PROC_NOT_FOUND`].
pub(super) struct Procedures {
    pub(super) query_timer_resolution: Option<ffi::QueryTimerResolution>,
    pub(super) get_process_information: Option<ffi::GetProcessInformation>,
    pub(super) set_process_information: Option<ffi::SetProcessInformation>,
    #[cfg(feature = "machines")]
    pub(super) lab: super::lab::Procedures,
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
            #[cfg(feature = "machines")]
            lab: super::lab::Procedures::find(ntdll),
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

/// A library that stays loaded for as long as the process lives; null if there is none.
#[derive(Clone, Copy)]
pub(super) struct Module(ffi::HANDLE);

impl Module {
    /// One that every process has.
    pub(super) fn loaded(name: &CStr) -> Self {
        // SAFETY: the name ends with a zero byte.
        Self(unsafe { ffi::GetModuleHandleA(name.as_ptr().cast()) })
    }

    pub(super) fn load(name: &CStr) -> Result<Self, Win32Error> {
        let name = name.as_ptr().cast();
        // SAFETY: the name ends with a zero byte, and the file is to be null.
        let module = unsafe { ffi::LoadLibraryExA(name, std::ptr::null_mut(), ffi::FROM_SYSTEM32) };
        if module.is_null() {
            return Err(super::last_error());
        }
        Ok(Self(module))
    }

    /// # Safety
    /// `F` is a pointer to a function of the type that the library has by this name.
    pub(super) unsafe fn function<F: Copy>(self, name: &CStr) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the module is loaded, and the name ends with a zero byte.
        let address = unsafe { ffi::GetProcAddress(self.0, name.as_ptr().cast()) };
        // SAFETY: of the same size, not null, and of the type that the caller vouches for.
        (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
    }
}
