//! What waits return, and what loops and callbacks get.

use crate::lateness::{Lateness, nanos};
use pyo3::prelude::*;

/// When something should have come, when it came, and what made it late: a Wake, a Tick or a Firing.
#[pyclass(frozen, subclass, module = "punctually")]
pub struct Arrival {
    pub lateness: Lateness,
    pub missed: u64,
}

#[pymethods]
impl Arrival {
    /// When it should have come, in nanoseconds of the clock; for a window, its beginning.
    #[getter]
    fn deadline_ns(&self) -> u64 {
        self.lateness.deadline.as_nanos()
    }

    /// When it came, with the interpreter's lock held; never before the deadline.
    #[getter]
    fn woke_ns(&self) -> u64 {
        self.lateness.came.as_nanos()
    }

    /// How late it came, in seconds, including any tolerance.
    #[getter]
    fn lateness(&self) -> f64 {
        self.lateness.total().as_secs_f64()
    }

    /// How late it came, in nanoseconds: the sum of `timer_ns`, `queue_ns` and `lock_ns`.
    #[getter]
    fn lateness_ns(&self) -> u64 {
        nanos(self.lateness.total())
    }

    /// The part of the lateness in which the system had not woken the thread.
    #[getter]
    fn timer_ns(&self) -> u64 {
        nanos(self.lateness.timer())
    }

    /// The part of the lateness in which the thread was busy with something else.
    #[getter]
    fn queue_ns(&self) -> u64 {
        nanos(self.lateness.queue)
    }

    /// The part of the lateness in which the thread waited for the interpreter's lock.
    #[getter]
    fn lock_ns(&self) -> u64 {
        nanos(self.lateness.lock)
    }

    /// How many periods passed unseen before it. Zero for what does not repeat.
    #[getter]
    fn missed(&self) -> u64 {
        self.missed
    }
}

/// The result of a wait: when it should have ended, when it did, and what it cost.
#[pyclass(frozen, extends = Arrival, module = "punctually")]
pub struct Wake {
    wake: punctual::Wake,
}

impl Wake {
    pub fn create(py: Python<'_>, wake: punctual::Wake) -> PyResult<Py<Self>> {
        let has_waited = !(wake.slept + wake.spun).is_zero();
        let lateness = if has_waited {
            Lateness::after(&wake, wake.deadline, wake.woke)
        } else {
            Lateness::overdue(wake.deadline, wake.woke)
        };
        let missed = 0;
        Py::new(py, (Self { wake }, Arrival { lateness, missed }))
    }
}

#[pymethods]
impl Wake {
    /// Time in the system's wait, without the lock.
    #[getter]
    fn slept_ns(&self) -> u64 {
        nanos(self.wake.slept)
    }

    /// Time until the thread had the lock again, also before the deadline.
    #[getter]
    fn regained_ns(&self) -> u64 {
        nanos(self.wake.regained)
    }

    /// Time spent spinning, with the lock.
    #[getter]
    fn spun_ns(&self) -> u64 {
        nanos(self.wake.spun)
    }

    fn __repr__(slf: PyRef<'_, Self>) -> String {
        format!(
            "Wake(deadline_ns={}, lateness_ns={}, slept_ns={}, regained_ns={}, spun_ns={})",
            slf.as_super().deadline_ns(),
            slf.as_super().lateness_ns(),
            slf.slept_ns(),
            slf.regained_ns(),
            slf.spun_ns()
        )
    }
}

/// A tick of a `Ticker` or of `Driver.every`.
#[pyclass(frozen, extends = Arrival, module = "punctually")]
pub struct Tick {
    tick: punctual::Tick,
}

impl Tick {
    pub fn create(py: Python<'_>, tick: punctual::Tick, lateness: Lateness) -> PyResult<Py<Self>> {
        let missed = tick.missed;
        Py::new(py, (Self { tick }, Arrival { lateness, missed }))
    }
}

#[pymethods]
impl Tick {
    /// The number of the tick in its schedule, from 0. Missed ticks have numbers too.
    #[getter]
    fn index(&self) -> u64 {
        self.tick.index
    }

    /// Time since the tick before, in seconds. Zero for the first.
    #[getter]
    fn interval(&self) -> f64 {
        self.tick.interval.as_secs_f64()
    }

    /// Time since the tick before, in nanoseconds. Zero for the first.
    #[getter]
    fn interval_ns(&self) -> u64 {
        nanos(self.tick.interval)
    }

    fn __repr__(slf: PyRef<'_, Self>) -> String {
        format!(
            "Tick(index={}, deadline_ns={}, lateness_ns={}, missed={})",
            slf.index(),
            slf.as_super().deadline_ns(),
            slf.as_super().lateness_ns(),
            slf.as_super().missed()
        )
    }
}
