//! What guards hold: priority, slice, processors and memory.

use crate::clock::native;
use crate::errors::{BusyError, InvalidInputError, raised};
use crate::quantities::duration;
use punctual::{MemoryGuard, PinGuard, Priority, PriorityGuard, SliceGuard};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// What was changed for one thread. Dropping it restores what was; guards.py sees to it that this is on
/// that thread.
#[pyclass(unsendable, module = "punctually._native")]
struct Held {
    _guard: Guard,
}

#[allow(dead_code, reason = "they are held, and never looked at")]
enum Guard {
    Priority(PriorityGuard),
    Slice(SliceGuard),
    Processors(PinGuard),
}

fn held(guard: Result<Guard, punctual::Error>) -> PyResult<Held> {
    let _guard = guard.map_err(|error| raised(&error))?;
    Ok(Held { _guard })
}

/// Raises the priority of this thread: "high", "realtime", or a number of SCHED_FIFO.
#[pyfunction]
fn hold_priority(level: &Bound<'_, PyAny>) -> PyResult<Held> {
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
    held(PriorityGuard::raise(native()?, priority).map(Guard::Priority))
}

/// Sets the slice of this thread.
#[pyfunction]
fn hold_slice(length: &Bound<'_, PyAny>) -> PyResult<Held> {
    let slice = duration("length", length)?;
    held(SliceGuard::set(native()?, slice).map(Guard::Slice))
}

/// Keeps this thread on these processors.
#[pyfunction]
fn hold_processors(processors: Vec<usize>) -> PyResult<Held> {
    held(PinGuard::pin_to(native()?, processors).map(Guard::Processors))
}

/// Keeps all memory of this process in RAM for a `with` block. Linux only.
///
/// Entering it raises NotPermittedError, with the privilege and the limit.
#[pyclass(frozen, name = "locked_memory", module = "punctually")]
struct LockedMemory {
    held: Mutex<Option<MemoryGuard>>,
}

#[pymethods]
impl LockedMemory {
    #[new]
    fn new() -> Self {
        Self {
            held: Mutex::new(None),
        }
    }

    fn __enter__(guard: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        let mut held = guard.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_some() {
            return Err(BusyError::new_err(
                "this guard is entered already; make another",
            ));
        }
        *held = Some(MemoryGuard::lock(native()?).map_err(|error| raised(&error))?);
        drop(held);
        Ok(guard)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Held>()?;
    module.add_class::<LockedMemory>()?;
    module.add_function(wrap_pyfunction!(hold_priority, module)?)?;
    module.add_function(wrap_pyfunction!(hold_slice, module)?)?;
    module.add_function(wrap_pyfunction!(hold_processors, module)?)
}
