//! What waits return.

use crate::lateness::{Lateness, nanos};
use pyo3::prelude::*;

/// The result of a wait: when it should have ended, when it did, and what it cost.
#[pyclass(frozen, module = "punctually")]
pub struct Wake {
    pub lateness: Lateness,
    wake: punctual::Wake,
}

impl Wake {
    pub fn new(wake: punctual::Wake) -> Self {
        let has_waited = !(wake.slept + wake.spun).is_zero();
        let lateness = if has_waited {
            Lateness::after(&wake, wake.deadline, wake.woke)
        } else {
            Lateness::overdue(wake.deadline, wake.woke)
        };
        Self { lateness, wake }
    }
}

#[pymethods]
impl Wake {
    /// When the wait should have ended, in nanoseconds of the clock.
    #[getter]
    fn deadline_ns(&self) -> u64 {
        self.wake.deadline.as_nanos()
    }

    /// When it ended, with the interpreter's lock held; never before the deadline.
    #[getter]
    fn woke_ns(&self) -> u64 {
        self.wake.woke.as_nanos()
    }

    /// How late it ended, in seconds.
    #[getter]
    fn lateness(&self) -> f64 {
        self.wake.lateness().as_secs_f64()
    }

    /// How late it ended, in nanoseconds: the sum of `timer_ns`, `queue_ns` and `lock_ns`.
    #[getter]
    fn lateness_ns(&self) -> u64 {
        nanos(self.wake.lateness())
    }

    /// The part of the lateness in which the system had not woken the thread.
    #[getter]
    fn timer_ns(&self) -> u64 {
        nanos(self.lateness.timer())
    }

    /// The part of the lateness that had passed when the wait began.
    #[getter]
    fn queue_ns(&self) -> u64 {
        nanos(self.lateness.queue)
    }

    /// The part of the lateness in which the thread waited for the interpreter's lock.
    #[getter]
    fn lock_ns(&self) -> u64 {
        nanos(self.lateness.lock)
    }

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

    fn __repr__(&self) -> String {
        format!(
            "Wake(deadline_ns={}, lateness_ns={}, slept_ns={}, regained_ns={}, spun_ns={})",
            self.deadline_ns(),
            self.lateness_ns(),
            self.slept_ns(),
            self.regained_ns(),
            self.spun_ns()
        )
    }
}

/// A tick of a `Ticker` or of `Driver.every`.
#[pyclass(frozen, module = "punctually")]
pub struct Tick {
    pub lateness: Lateness,
    pub tick: punctual::Tick,
}

#[pymethods]
impl Tick {
    /// The number of the tick in its schedule, from 0. Missed ticks have numbers too.
    #[getter]
    fn index(&self) -> u64 {
        self.tick.index
    }

    /// When the tick should have come, in nanoseconds of the clock.
    #[getter]
    fn deadline_ns(&self) -> u64 {
        self.tick.deadline.as_nanos()
    }

    /// When it came; never before the deadline.
    #[getter]
    fn woke_ns(&self) -> u64 {
        self.lateness.came.as_nanos()
    }

    /// How many ticks passed unseen since the one before.
    #[getter]
    fn missed(&self) -> u64 {
        self.tick.missed
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

    /// How late it came, in seconds.
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

    fn __repr__(&self) -> String {
        format!(
            "Tick(index={}, deadline_ns={}, lateness_ns={}, missed={})",
            self.index(),
            self.deadline_ns(),
            self.lateness_ns(),
            self.missed()
        )
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Wake>()?;
    module.add_class::<Tick>()
}
