//! Loaded libraries, and the functions in them.

use super::ffi;
use crate::os::native::windows::Win32Error;
use std::ffi::{CStr, c_void};

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
