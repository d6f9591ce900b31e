//! The clock of all deadlines.

use crate::{errors, quantities, virtual_time};
use punctual::{Budget, Instant, Native, Os};
use pyo3::prelude::*;
use std::sync::OnceLock;

/// This machine, or the exception that says why it cannot wait. What its system offers is asked once:
/// the answer costs some system calls.
pub fn native() -> PyResult<&'static Native> {
    static NATIVE: OnceLock<Native> = OnceLock::new();
    if let Some(os) = NATIVE.get() {
        return Ok(os);
    }
    let os = Native::detect().map_err(|error| errors::raised(&error))?;
    Ok(NATIVE.get_or_init(|| os))
}

/// Reads the clock of all deadlines: this machine's, or the virtual one of this thread.
pub fn now() -> PyResult<Instant> {
    virtual_time::here(|sleeper| sleeper.now()).map_or_else(|| Ok(native()?.now()), Ok)
}

/// Reads the clock of all deadlines, in nanoseconds: on Linux that of `time.monotonic_ns()`.
#[pyfunction]
pub fn now_ns() -> PyResult<u64> {
    Ok(now()?.as_nanos())
}

/// The instant that is this far from now: seconds, or a timedelta.
#[pyfunction]
pub fn deadline_ns(duration: &Bound<'_, PyAny>) -> PyResult<u64> {
    let duration = quantities::duration("the duration", duration)?;
    Ok((now()? + duration).as_nanos())
}

/// Sets the share of a processor that all sleepers of this process together may spin, from 0 (never) to 1. It is 0.05
/// until then. A Sleeper with a budget of its own has that besides.
#[pyfunction]
pub fn set_process_budget(share: f64) -> PyResult<()> {
    let budget = Budget::new(share).map_err(|error| errors::raised(&error))?;
    native()?.process_budget().set(budget);
    Ok(())
}
