//! Statistics of lateness.

use crate::lateness::{Lateness, nanos};
use crate::wake::Arrival;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counts how late waits, ticks and callbacks come, and why: altogether, and apart for the timer, the
/// queue and the lock. Recording costs a few additions, and the memory does not grow.
///
/// >>> stats = LatenessStats()
/// >>> _ = stats.record(sleep(0.001))
/// >>> stats.summary().count
/// 1
#[pyclass(frozen, module = "punctually")]
pub struct LatenessStats {
    kinds: Mutex<Kinds>,
}

#[derive(Default)]
struct Kinds {
    total: punctual::LatenessStats,
    timer: punctual::LatenessStats,
    queue: punctual::LatenessStats,
    lock: punctual::LatenessStats,
}

impl LatenessStats {
    fn kinds(&self) -> MutexGuard<'_, Kinds> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl LatenessStats {
    #[new]
    fn new() -> Self {
        Self {
            kinds: Mutex::default(),
        }
    }

    /// Records a Wake, a Tick or a Firing. The first one after the end of a second returns the summary
    /// of that second; all others return None.
    fn record(&self, event: &Arrival) -> Option<Summary> {
        self.kinds().record(event.lateness, event.missed)
    }

    /// The summary of everything that was recorded.
    fn summary(&self) -> Summary {
        Summary(self.kinds().total.summary())
    }

    /// The same for the parts in which the system had not woken the thread.
    fn timer(&self) -> Summary {
        Summary(self.kinds().timer.summary())
    }

    /// The same for the parts in which the thread was busy with something else.
    fn queue(&self) -> Summary {
        Summary(self.kinds().queue.summary())
    }

    /// The same for the parts in which the thread waited for the interpreter's lock.
    fn lock(&self) -> Summary {
        Summary(self.kinds().lock.summary())
    }

    /// Forgets everything.
    fn reset(&self) {
        *self.kinds() = Kinds::default();
    }

    fn __repr__(&self) -> String {
        format!("<LatenessStats {}>", self.kinds().total.summary())
    }
}

impl Kinds {
    fn record(&mut self, lateness: Lateness, missed: u64) -> Option<Summary> {
        let parts = [
            (&mut self.timer, lateness.timer()),
            (&mut self.queue, lateness.queue),
            (&mut self.lock, lateness.lock),
        ];
        for (stats, part) in parts {
            stats.record(lateness.arrival(part));
        }
        let mut arrival = punctual::Arrival::new(lateness.deadline, lateness.came);
        arrival.missed = missed;
        self.total.record(arrival).map(Summary)
    }
}

/// Figures of lateness. Times are in nanoseconds.
#[pyclass(frozen, module = "punctually")]
pub struct Summary(punctual::Summary);

#[pymethods]
impl Summary {
    /// How many were recorded.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count
    }

    /// How many ticks passed unseen.
    #[getter]
    fn missed(&self) -> u64 {
        self.0.missed
    }

    /// The rate at which they came, in hertz.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.0.rate_hertz
    }

    /// The mean time between two.
    #[getter]
    fn mean_interval_ns(&self) -> u64 {
        nanos(self.0.mean_interval)
    }

    /// Half of them were at most this late.
    #[getter]
    fn p50_ns(&self) -> u64 {
        nanos(self.0.p50)
    }

    /// 99 of 100 were at most this late.
    #[getter]
    fn p99_ns(&self) -> u64 {
        nanos(self.0.p99)
    }

    /// The latest was this late.
    #[getter]
    fn worst_ns(&self) -> u64 {
        nanos(self.0.worst)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Summary {}>", self.0)
    }
}
