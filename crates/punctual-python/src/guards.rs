//! Guards for priority, slice, processors and memory: context managers that restore what they changed.

use crate::clock::native;
use crate::errors::{BusyError, InvalidInputError, raised};
use crate::quantities::duration;
use punctual::{MemoryGuard, Native, PinGuard, Priority, PriorityGuard, SliceGuard};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What a guard is to change.
enum Change {
    Priority(Priority),
    Slice(Duration),
    Processors(Vec<usize>),
}

/// What it holds while it is entered. Dropping it restores what was.
#[allow(dead_code, reason = "they are held, and never looked at")]
enum Held {
    Priority(PriorityGuard),
    Slice(SliceGuard),
    Processors(PinGuard),
}

/// Changes something for the thread that enters it, until the end of the `with` block. The same thread
/// leaves it. Made by `priority`, `slice` and `pin`.
#[pyclass(unsendable, module = "punctually")]
struct ThreadGuard {
    name: &'static str,
    change: Change,
    held: Option<Held>,
}

#[pymethods]
impl ThreadGuard {
    fn __enter__(mut guard: PyRefMut<'_, Self>) -> PyResult<PyRefMut<'_, Self>> {
        if guard.held.is_some() {
            return Err(entered_twice());
        }
        let held = hold(native()?, &guard.change).map_err(|error| raised(&error))?;
        guard.held = Some(held);
        Ok(guard)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, PyAny>) {
        self.held = None;
    }

    fn __repr__(&self) -> String {
        format!("<guard of the {}>", self.name)
    }
}

fn hold(os: &Native, change: &Change) -> Result<Held, punctual::Error> {
    Ok(match change {
        Change::Priority(priority) => Held::Priority(PriorityGuard::raise(os, *priority)?),
        Change::Slice(slice) => Held::Slice(SliceGuard::set(os, *slice)?),
        Change::Processors(processors) => {
            Held::Processors(PinGuard::pin_to(os, processors.iter().copied())?)
        }
    })
}

fn entered_twice() -> PyErr {
    BusyError::new_err("this guard is entered already; make another")
}

/// Raises the priority of this thread for a `with` block.
///
/// level: "high", before ordinary threads; "realtime", always before them; or a number from 1 to 99, a
/// priority of SCHED_FIFO on Linux. A thread that spins at such a priority can keep a processor from all
/// other programs.
///
/// Entering it raises NotPermittedError, with the missing privilege. A program can go on without.
#[pyfunction]
fn priority(level: &Bound<'_, PyAny>) -> PyResult<ThreadGuard> {
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
    Ok(of_thread("priority", Change::Priority(priority)))
}

/// Sets how long this thread may compute at a time, for a `with` block: seconds from 0.0001 to 0.1, or a
/// timedelta. Linux 6.12 and later.
///
/// Entering it raises UnsupportedError elsewhere.
#[pyfunction(name = "slice")]
fn slice_guard(length: &Bound<'_, PyAny>) -> PyResult<ThreadGuard> {
    let slice = duration("length", length)?;
    Ok(of_thread("slice", Change::Slice(slice)))
}

/// Keeps this thread on these processors for a `with` block. They are numbered from 0, as the system
/// numbers them.
///
/// Entering it raises InvalidInputError if this thread may not use one of them; the message lists those
/// that it may use.
#[pyfunction]
#[pyo3(signature = (*processors))]
fn pin(processors: Vec<usize>) -> ThreadGuard {
    of_thread("processors", Change::Processors(processors))
}

fn of_thread(name: &'static str, change: Change) -> ThreadGuard {
    ThreadGuard {
        name,
        change,
        held: None,
    }
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
            return Err(entered_twice());
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
    module.add_class::<ThreadGuard>()?;
    module.add_class::<LockedMemory>()?;
    module.add_function(wrap_pyfunction!(priority, module)?)?;
    module.add_function(wrap_pyfunction!(slice_guard, module)?)?;
    module.add_function(wrap_pyfunction!(pin, module)?)
}
