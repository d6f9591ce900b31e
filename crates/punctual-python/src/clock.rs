//! The clock of all deadlines.

use crate::{errors, quantities};
use punctual::Native;
use pyo3::prelude::*;

/// This machine, or the exception that says why it cannot wait.
pub fn native() -> PyResult<Native> {
    Native::detect().map_err(|error| errors::raised(&error))
}

/// Reads the clock of all deadlines, in nanoseconds: on Linux that of `time.monotonic_ns()`.
#[pyfunction]
fn now_ns() -> PyResult<u64> {
    Ok(native()?.now().as_nanos())
}

/// The instant that is this far from now: seconds, or a timedelta.
#[pyfunction]
fn deadline_ns(duration: &Bound<'_, PyAny>) -> PyResult<u64> {
    let duration = quantities::duration("the duration", duration)?;
    Ok((native()?.now() + duration).as_nanos())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(now_ns, module)?)?;
    module.add_function(wrap_pyfunction!(deadline_ns, module)?)
}
