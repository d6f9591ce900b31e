//! The interval after which a thread that computes is asked to give up the interpreter's lock.

use pyo3::prelude::*;
use std::time::Duration;

/// Python's default.
const DEFAULT: Duration = Duration::from_millis(5);

/// The interval in force: `sys.getswitchinterval()`.
pub fn get(py: Python<'_>) -> Duration {
    let seconds = py
        .import("sys")
        .and_then(|sys| sys.call_method0("getswitchinterval")?.extract());
    seconds
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .unwrap_or(DEFAULT)
}

/// Tells the program, the first time, that waits are shorter than the lock takes. Whatever comes of that, the wait goes on.
pub fn tell_once(py: Python<'_>) {
    let told = py
        .import("punctually.switching")
        .and_then(|switching| switching.call_method0("tell_once"));
    if let Err(error) = told {
        error.write_unraisable(py, None);
    }
}
