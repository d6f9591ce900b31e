//! One interpreter per process: the first that imports the module.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Refuses all interpreters but the first. Python does so itself from version 3.12 on; before, it would
/// share the classes of one interpreter with another.
pub fn check(py: Python<'_>) -> PyResult<()> {
    /// The module `sys` of the first: each interpreter has its own.
    static FIRST: AtomicUsize = AtomicUsize::new(0);
    let this = py.import("sys")?.as_ptr().addr();
    let first = FIRST.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed);
    if first.is_err_and(|first| first != this) {
        return Err(PyImportError::new_err(
            "punctually does not support subinterpreters: import it in one interpreter of a process",
        ));
    }
    Ok(())
}
