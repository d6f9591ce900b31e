//! Calls of Python from the driver's thread.

use super::results::Firing;
use crate::lateness::Lateness;
use crate::wake::Tick;
use punctual::{Instant, Wake};
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What all callbacks of a driver share.
pub struct Calls {
    on_error: Option<Py<PyAny>>,
    /// How many raised an exception.
    errors: AtomicU64,
    /// How the thread woke before this round of calls.
    wake: Mutex<Option<Wake>>,
}

impl Calls {
    pub fn new(on_error: Option<Py<PyAny>>) -> Self {
        Self {
            on_error,
            errors: AtomicU64::new(0),
            wake: Mutex::new(None),
        }
    }

    /// How the serving thread woke.
    pub fn woke(&self, wake: Wake) {
        *self.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(wake);
    }

    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// The callback of a timer that fires once.
    pub fn once(
        calls: &Arc<Self>,
        callback: Py<PyAny>,
    ) -> impl FnOnce(punctual::Firing) + Send + use<> {
        let calls = Arc::clone(calls);
        move |firing| {
            let lateness = calls.lateness(firing.deadline(), firing.woke);
            // Whatever it says, there is no other call.
            let _ = Python::attach(|py| {
                calls.call(py, &callback, Firing::create(py, firing, lateness))
            });
        }
    }

    /// The callback of a timer that repeats. An exception ends it: its state may be half-changed.
    pub fn repeated(
        calls: &Arc<Self>,
        callback: Py<PyAny>,
    ) -> impl FnMut(punctual::Tick) -> ControlFlow<()> + Send + use<> {
        let calls = Arc::clone(calls);
        move |tick| {
            let lateness = calls.lateness(tick.deadline, tick.woke);
            Python::attach(|py| calls.call(py, &callback, Tick::create(py, tick, lateness)))
        }
    }

    fn lateness(&self, deadline: Instant, came: Instant) -> Lateness {
        let wake = *self.wake.lock().unwrap_or_else(PoisonError::into_inner);
        match wake {
            Some(wake) => Lateness::after(&wake, deadline, came),
            None => Lateness::overdue(deadline, came),
        }
    }

    fn call<T: PyTypeInfo>(
        &self,
        py: Python<'_>,
        callback: &Py<PyAny>,
        argument: PyResult<Py<T>>,
    ) -> ControlFlow<()> {
        match argument.and_then(|argument| callback.call1(py, (argument,))) {
            Ok(_) => ControlFlow::Continue(()),
            Err(end) if end.is_instance_of::<PyStopIteration>(py) => ControlFlow::Break(()),
            Err(error) => {
                self.errors.fetch_add(1, Ordering::Relaxed);
                self.report(py, error, Some(callback));
                ControlFlow::Break(())
            }
        }
    }

    /// Gives an exception to the program's handler, or else to `sys.unraisablehook`.
    pub fn report(&self, py: Python<'_>, error: PyErr, callback: Option<&Py<PyAny>>) {
        let Some(handler) = &self.on_error else {
            error.write_unraisable(py, callback.map(|callback| callback.bind(py)));
            return;
        };
        if let Err(another) = handler.call1(py, (error,)) {
            another.write_unraisable(py, Some(handler.bind(py)));
        }
    }
}
