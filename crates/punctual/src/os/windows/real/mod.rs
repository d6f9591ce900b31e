//! Windows itself: the calls, made.
//!
//! The floor is the first Windows 10, because Rust's standard library needs it. What came later is
//! looked for when a program runs, and answers [`Win32Error::PROC_NOT_FOUND`] where it is missing.

#![allow(unsafe_code, reason = "system calls")]

#[cfg(feature = "machines")]
mod callbacks;
mod ffi;
#[cfg(feature = "machines")]
mod lab;
#[cfg(feature = "machines")]
mod lab_ffi;
mod module;
mod procedures;
mod win32;
#[cfg(feature = "machines")]
mod wine;

use super::{Handle, Win32Error, WindowsOs};
use crate::Error;
use procedures::Procedures;
use std::fmt;
use std::sync::Arc;

/// The Windows this program runs on.
pub(crate) type System = WindowsOs<Real>;

impl WindowsOs<Real> {
    /// Takes hold of this Windows and finds out what it offers.
    ///
    /// # Errors
    /// None on Windows; elsewhere, that the system is not supported.
    pub fn detect() -> Result<Self, Error> {
        Ok(Self::on(Real::new()))
    }
}

/// The calls of the Windows this program runs on. Cheap to clone.
#[derive(Clone)]
pub struct Real {
    procedures: Arc<Procedures>,
}

impl Real {
    /// Looks for the functions that not every Windows has.
    pub fn new() -> Self {
        Self {
            procedures: Arc::new(Procedures::find()),
        }
    }
}

impl Default for Real {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Real").finish_non_exhaustive()
    }
}

/// What `GetLastError` says about the call just made.
fn last_error() -> Win32Error {
    // SAFETY: no pointers.
    Win32Error::LastError(unsafe { ffi::GetLastError() })
}

/// For functions that return zero when they have failed.
fn succeeded(result: ffi::BOOL) -> Result<(), Win32Error> {
    if result == ffi::FALSE {
        Err(last_error())
    } else {
        Ok(())
    }
}

/// For functions that return a null handle when they have failed.
fn made(handle: ffi::HANDLE) -> Result<Handle, Win32Error> {
    if handle.is_null() {
        Err(last_error())
    } else {
        Ok(Handle(handle as isize))
    }
}

/// A handle as Windows takes it. Any number may be one: Windows looks it up, and refuses those that
/// are not.
fn raw(handle: Handle) -> ffi::HANDLE {
    handle.0 as ffi::HANDLE
}

/// For the multimedia timer functions.
fn multimedia(result: u32) -> Result<(), Win32Error> {
    match result {
        0 => Ok(()),
        error => Err(Win32Error::MmResult(error)),
    }
}

/// For functions of ntdll.
fn status(status: i32) -> Result<(), Win32Error> {
    match status {
        0 => Ok(()),
        error => Err(Win32Error::NtStatus(error)),
    }
}

/// A text as Windows takes it, with a zero at its end.
fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

#[cfg(test)]
mod tests;
