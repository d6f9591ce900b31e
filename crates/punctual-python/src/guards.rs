//! What guards hold: priority, slice, processors and memory.

use crate::clock::native;
use crate::errors::{InvalidInputError, raised};
use crate::quantities::duration;
use punctual::{MemoryGuard, PinGuard, Priority, PriorityGuard, SliceGuard};
use pyo3::prelude::*;
use std::any::Any;

/// What was changed for one thread. Dropping it restores what was; guards.py sees to it that this is on
/// that thread.
#[pyclass(unsendable, module = "punctually._native")]
pub struct Held {
    _guard: Box<dyn Any>,
}

fn held(guard: Result<impl Any, punctual::Error>) -> PyResult<Held> {
    let _guard = Box::new(guard.map_err(|error| raised(&error))?);
    Ok(Held { _guard })
}

/// Raises the priority of this thread: "high", "realtime", or a number of SCHED_FIFO.
#[pyfunction]
pub fn hold_priority(level: &Bound<'_, PyAny>) -> PyResult<Held> {
    let priority = if let Ok(number) = level.extract::<u8>() {
        Priority::Fifo(number)
    } else {
        match level.extract::<String>().as_deref() {
            Ok("high") => Priority::High,
            Ok("realtime") => Priority::Realtime,
            _ => {
                return Err(InvalidInputError::new_err(format!(
                    "level must be 'high', 'realtime' or a number from 1 to 99, not {}",
                    level.repr()?
                )));
            }
        }
    };
    held(PriorityGuard::raise(native()?, priority))
}

/// Sets the slice of this thread.
#[pyfunction]
pub fn hold_slice(length: &Bound<'_, PyAny>) -> PyResult<Held> {
    let slice = duration("length", length)?;
    held(SliceGuard::set(native()?, slice))
}

/// Keeps this thread on these processors.
#[pyfunction]
pub fn hold_processors(processors: Vec<usize>) -> PyResult<Held> {
    held(PinGuard::pin_to(native()?, processors))
}

/// Keeps all memory of this process in RAM.
#[pyfunction]
pub fn hold_memory() -> PyResult<Held> {
    held(MemoryGuard::lock(native()?))
}
