//! Calls that Python makes on its main thread.

#![allow(unsafe_code, reason = "Python declares them as a function of C")]

use pyo3::ffi;
use std::ffi::{c_int, c_void};
use std::ptr;

/// Has the main thread call this, with the interpreter's lock, before one of its next bytecodes. Needs no lock. Whether it will
/// be called: few calls can wait.
pub fn call_soon<C: Call>() -> bool {
    // SAFETY: it needs neither a thread state nor the lock, and the function takes any argument.
    unsafe { ffi::Py_AddPendingCall(Some(call::<C>), ptr::null_mut()) == 0 }
}

/// What is called.
pub trait Call {
    fn call();
}

extern "C" fn call<C: Call>(_: *mut c_void) -> c_int {
    C::call();
    0
}
