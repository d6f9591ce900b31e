//! What a driver's methods return, and what its callbacks get.

use crate::lateness::{Lateness, nanos};
use crate::quantities::{instant, period};
use crate::wake::Arrival;
use punctual::Window;
use pyo3::prelude::*;

/// The argument of a callback of `Driver.after` and `Driver.once`: when it should have been called, and
/// when it was.
#[pyclass(frozen, extends = Arrival, module = "punctually")]
pub struct Firing {
    window: Window,
}

impl Firing {
    pub fn create(
        py: Python<'_>,
        firing: punctual::Firing,
        lateness: Lateness,
    ) -> PyResult<Py<Self>> {
        let (window, missed) = (firing.window, 0);
        Py::new(py, (Self { window }, Arrival { lateness, missed }))
    }
}

#[pymethods]
impl Firing {
    /// The end of its window: the deadline and the tolerance.
    #[getter]
    fn latest_ns(&self) -> u64 {
        self.window.latest().as_nanos()
    }

    fn __repr__(slf: PyRef<'_, Self>) -> String {
        let arrival = slf.as_super();
        format!(
            "Firing(deadline_ns={}, lateness_ns={})",
            arrival.lateness.deadline.as_nanos(),
            nanos(arrival.lateness.total())
        )
    }
}

/// A callback of a driver, to cancel or to move it. Dropping this changes nothing.
#[pyclass(frozen, module = "punctually")]
pub struct Timer {
    pub inner: punctual::Timer,
}

#[pymethods]
impl Timer {
    /// Cancels the callback, so that it is not called again. Returns at once, from any thread, and says
    /// whether it is being called.
    fn cancel(&self) -> Cancellation {
        match self.inner.cancel() {
            punctual::Cancellation::Prevented => Cancellation::Prevented,
            punctual::Cancellation::UnderWay => Cancellation::UnderWay,
            _ => Cancellation::TooLate,
        }
    }

    /// Moves the callback to another instant, in nanoseconds of the clock. A repeating one starts again
    /// there. Returns whether there is a call to come.
    fn move_to(&self, deadline_ns: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.inner.reschedule(instant("deadline_ns", deadline_ns)?))
    }

    /// Changes the period of a repeating callback from now on, without a jump of the phase. Returns
    /// whether there is a tick to come. Takes hz, period or period_ns, as Ticker does.
    #[pyo3(signature = (*, hz=None, period=None, period_ns=None))]
    fn set_period(
        &self,
        hz: Option<&Bound<'_, PyAny>>,
        period: Option<&Bound<'_, PyAny>>,
        period_ns: Option<u64>,
    ) -> PyResult<bool> {
        Ok(self.inner.set_period(self::period(hz, period, period_ns)?))
    }
}

/// What `Timer.cancel` found.
#[pyclass(
    frozen,
    eq,
    hash,
    module = "punctually",
    rename_all = "SCREAMING_SNAKE_CASE"
)]
#[derive(PartialEq, Eq, Hash)]
pub enum Cancellation {
    /// It was waiting, and will not be called.
    Prevented,
    /// It is being called at this moment, for the last time.
    UnderWay,
    /// It had been called for the last time, or cancelled.
    TooLate,
}
