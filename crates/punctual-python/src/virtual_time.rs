//! Virtual time for tests: a clock of one thread, which moves at once when the thread waits.

use crate::quantities::duration;
use punctual::{Sleeper, VirtualOs};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

thread_local! {
    /// What waits in this thread while its time is virtual.
    static HERE: RefCell<Option<Sleeper<VirtualOs>>> = const { RefCell::new(None) };
}

/// Waits or reads the clock in the virtual time of this thread, if it has one.
pub fn here<T>(run: impl FnOnce(&mut Sleeper<VirtualOs>) -> T) -> Option<T> {
    HERE.with_borrow_mut(|sleeper| sleeper.as_mut().map(run))
}

/// What `VirtualTime` in testing.py stands on.
#[pyclass(frozen, module = "punctually._native")]
pub struct VirtualClock {
    os: VirtualOs,
    /// How late the system wakes, in nanoseconds.
    late: Arc<AtomicU64>,
}

#[pymethods]
impl VirtualClock {
    #[new]
    fn new() -> Self {
        let late = Arc::new(AtomicU64::new(0));
        let lateness = Arc::clone(&late);
        let nanos = move || Duration::from_nanos(lateness.load(Ordering::Relaxed));
        let os = VirtualOs::waking(move |until| until + nanos());
        Self { os, late }
    }

    /// Makes it the clock of this thread.
    fn enter(&self) {
        HERE.set(Some(Sleeper::on(self.os.clone()).coarse()));
    }

    /// Gives this thread the clock of the machine again.
    #[staticmethod]
    fn leave() {
        HERE.set(None);
    }

    fn advance(&self, by: &Bound<'_, PyAny>) -> PyResult<()> {
        self.os.advance(duration("the duration", by)?);
        Ok(())
    }

    fn set_late(&self, late: &Bound<'_, PyAny>) -> PyResult<()> {
        let late = crate::lateness::nanos(duration("late", late)?);
        self.late.store(late, Ordering::Relaxed);
        Ok(())
    }
}

/// Whether the time of this thread is virtual.
#[pyfunction]
pub fn is_virtual() -> bool {
    here(|_| ()).is_some()
}
