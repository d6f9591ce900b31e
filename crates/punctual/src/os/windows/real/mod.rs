//! Windows itself: the calls, made.
//!
//! The floor is the first Windows 10, because Rust's standard library needs it. What came later is
//! looked for when a program runs, and answers [`Win32Error::PROC_NOT_FOUND`] where it is missing.

#![allow(unsafe_code, reason = "system calls")]

mod ffi;
mod module;
mod procedures;
mod win32;

use super::{Win32Error, WindowsOs};
use crate::Error;
use crate::opaque::opaque;
use crate::os::native::process_budget;
use procedures::Procedures;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::sync::Arc;

/// The Windows this program runs on.
pub(crate) type System = WindowsOs<Real>;

impl WindowsOs<Real> {
    /// Its waits were chosen for precision, whatever this version has.
    pub(crate) fn is_precise(&self) -> bool {
        true
    }

    /// Takes hold of this Windows and finds out what it offers.
    ///
    /// # Errors
    /// None on Windows; elsewhere, that the system is not supported.
    pub fn detect() -> Result<Self, Error> {
        Ok(Self::sharing(Real::new(), process_budget()))
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

/// An event or a waitable timer, closed when this is dropped.
#[derive(Debug)]
pub struct RealObject(OwnedHandle);

impl RealObject {
    fn raw(&self) -> ffi::HANDLE {
        self.0.as_raw_handle()
    }
}

/// For functions that return the handle of a new object, and null when they have failed.
///
/// # Safety
/// The handle is null, or open and nothing else's.
unsafe fn made(handle: ffi::HANDLE) -> Result<RealObject, Win32Error> {
    if handle.is_null() {
        return Err(last_error());
    }
    // SAFETY: it is open and nothing else's, as the caller vouches.
    Ok(RealObject(unsafe { OwnedHandle::from_raw_handle(handle) }))
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

opaque!(Real);

#[cfg(test)]
mod tests;
