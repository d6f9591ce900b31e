//! The interval after which a thread that computes is asked to give up the interpreter's lock.

use crate::errors::SwitchIntervalWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// Warns, the first time, that waits are shorter than the lock takes.
pub fn warn_once(py: Python<'_>, interval: Duration) -> PyResult<()> {
    static HAS_WARNED: AtomicBool = AtomicBool::new(false);
    if HAS_WARNED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let message = format!(
        "another thread computes, and Python takes the lock from it only after {:.1} ms \
         (sys.getswitchinterval()): a wait that is shorter than this ends late. With \
         punctually.switch_interval(0.0005) threads change more often. Or compute in another process, or \
         run the loop in C",
        interval.as_secs_f64() * 1e3
    );
    let category = py.get_type::<SwitchIntervalWarning>();
    PyErr::warn(py, &category, &CString::new(message)?, 1)
}
