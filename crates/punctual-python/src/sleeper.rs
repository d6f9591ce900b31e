//! One precise sleep at a time.

use crate::cancel::Cancel;
use crate::clock::{native, now};
use crate::errors::{BusyError, raised};
use crate::quantities::{duration, instant};
use crate::waiting::Waiter;
use crate::wake::Wake;
use punctual::{Budget, LateRate, Margin, Window};
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Sleeps until a deadline: never shorter, and only as much longer as you allow.
///
/// It leaves the interpreter's lock to other threads while the system waits, takes it back shortly
/// before the deadline, and spins for the rest. It learns how late this system wakes this thread, and
/// how long the lock takes. So give each thread a sleeper of its own, and keep it for as long as the
/// thread waits.
///
/// late_rate: the share of waits that may end late, from 0.0001 to 0.25; 0.01 by default.
/// budget: the share of time that this sleeper may spend spinning, from 0 to 1; by default it shares the budget of
/// the process with the others, 0.05 in all.
///
/// >>> sleeper = Sleeper(late_rate=0.001, budget=0.2)
/// >>> wake = sleeper.sleep(0.0005)
/// >>> wake.woke_ns >= wake.deadline_ns
/// True
#[pyclass(frozen, module = "punctually")]
pub struct Sleeper {
    waiter: Mutex<Waiter>,
}

impl Sleeper {
    fn with_margin(margin: Margin, budget: Option<f64>) -> PyResult<Self> {
        let waiter = Mutex::new(Waiter::new(native()?.clone(), margin, budget));
        Ok(Self { waiter })
    }

    /// With a margin that has a budget.
    fn learning(margin: Margin) -> PyResult<Self> {
        let budget = margin.budget().map(Budget::share);
        Self::with_margin(margin, budget)
    }

    /// With the default late rate and budget.
    pub fn default_one() -> PyResult<Self> {
        Self::learning(Margin::default())
    }

    /// Its waiter, unless it is waiting.
    pub fn waiter(&self) -> PyResult<MutexGuard<'_, Waiter>> {
        match self.waiter.try_lock() {
            Ok(waiter) => Ok(waiter),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(BusyError::new_err(
                "this sleeper is waiting already, in another thread or below this signal handler; \
                 give each its own",
            )),
        }
    }
}

#[pymethods]
impl Sleeper {
    #[new]
    #[pyo3(signature = (*, late_rate=None, budget=None))]
    fn new(late_rate: Option<f64>, budget: Option<f64>) -> PyResult<Self> {
        let late_rate = late_rate.map_or(Ok(LateRate::default()), LateRate::new);
        let late_rate = late_rate.map_err(|error| raised(&error))?;
        let budget = budget.map(Budget::new).transpose();
        let margin = match budget.map_err(|error| raised(&error))? {
            Some(own) => Margin::new(late_rate, own),
            None => Margin::sharing(late_rate),
        };
        Self::learning(margin)
    }

    /// A sleeper that never spins: every wait ends as late as the system ends it.
    #[staticmethod]
    fn coarse() -> PyResult<Self> {
        Self::with_margin(Margin::coarse(), Some(0.0))
    }

    /// A sleeper that spins for as long as precision needs, without a budget.
    #[staticmethod]
    fn exact() -> PyResult<Self> {
        Self::with_margin(Margin::exact(), None)
    }

    /// A sleeper that always spins for this margin: seconds, or a timedelta.
    #[staticmethod]
    fn fixed(margin: &Bound<'_, PyAny>) -> PyResult<Self> {
        let margin = Margin::fixed(duration("margin", margin)?);
        Self::with_margin(margin, Some(Budget::default().share()))
    }

    /// Sleeps for a duration: seconds, or a timedelta. Returns how the wait went.
    ///
    /// Raises Cancelled if `cancel` was cancelled before the deadline.
    #[pyo3(signature = (duration, *, cancel=None))]
    fn sleep(
        &self,
        py: Python<'_>,
        duration: &Bound<'_, PyAny>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Py<Wake>> {
        let mut waiter = self.waiter()?;
        sleep(py, &mut waiter, duration, cancel)
    }

    /// Sleeps until an instant, in nanoseconds of the clock. If it has passed, only reads the clock.
    ///
    /// Raises Cancelled if `cancel` was cancelled before the deadline.
    #[pyo3(signature = (deadline_ns, *, cancel=None))]
    fn sleep_until(
        &self,
        py: Python<'_>,
        deadline_ns: &Bound<'_, PyAny>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Py<Wake>> {
        let deadline = instant("deadline_ns", deadline_ns)?;
        wait(py, &mut *self.waiter()?, deadline.into(), cancel)
    }

    /// Sleeps until an instant from `earliest_ns` to `latest_ns`. The system chooses it, so that one
    /// wake-up can end several waits.
    ///
    /// Raises Cancelled if `cancel` was cancelled before the window began.
    #[pyo3(signature = (earliest_ns, latest_ns, *, cancel=None))]
    fn sleep_within(
        &self,
        py: Python<'_>,
        earliest_ns: &Bound<'_, PyAny>,
        latest_ns: &Bound<'_, PyAny>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Py<Wake>> {
        let earliest = instant("earliest_ns", earliest_ns)?;
        let latest = instant("latest_ns", latest_ns)?;
        let window = Window::from(earliest..=latest.max(earliest));
        wait(py, &mut *self.waiter()?, window, cancel)
    }

    /// Releases what it holds of the system until the next wait, and keeps what it has learned. Use it
    /// when a loop pauses.
    fn pause(&self) -> PyResult<()> {
        self.waiter()?.sleeper_mut().pause();
        Ok(())
    }

    /// Leaves the time since the last wait out of the budget. Use it when a loop goes on after a pause.
    fn resume(&self) -> PyResult<()> {
        self.waiter()?.resume();
        Ok(())
    }

    /// How early a wait of this length asks the system to wake it, in nanoseconds; without the lead for
    /// the lock.
    fn margin_ns(&self, length: &Bound<'_, PyAny>) -> PyResult<u64> {
        let length = duration("length", length)?;
        Ok(crate::lateness::nanos(
            self.waiter()?.sleeper().margin().before(length),
        ))
    }

    /// How early a wait of this length asks for the interpreter's lock before that, in nanoseconds. Zero
    /// if the lock was free lately.
    fn lead_ns(&self, length: &Bound<'_, PyAny>) -> PyResult<u64> {
        let length = duration("length", length)?;
        Ok(crate::lateness::nanos(self.waiter()?.lead(length)))
    }
}

fn wait(
    py: Python<'_>,
    waiter: &mut Waiter,
    window: Window,
    cancel: Option<&Cancel>,
) -> PyResult<Py<Wake>> {
    let wake = waiter.wait(py, window, cancel.map(|cancel| &cancel.inner))?;
    Wake::create(py, wake)
}

fn sleep(
    py: Python<'_>,
    waiter: &mut Waiter,
    seconds: &Bound<'_, PyAny>,
    cancel: Option<&Cancel>,
) -> PyResult<Py<Wake>> {
    let deadline = now()? + duration("the duration", seconds)?;
    wait(py, waiter, deadline.into(), cancel)
}

thread_local! {
    /// What the functions of the module wait with. Taken while it waits: a signal handler that sleeps
    /// below it gets another.
    static OWN: Cell<Option<Box<Sleeper>>> = const { Cell::new(None) };
}

fn with_own<T>(run: impl FnOnce(&mut Waiter) -> PyResult<T>) -> PyResult<T> {
    let own = OWN
        .take()
        .map_or_else(|| Sleeper::default_one().map(Box::new), Ok)?;
    let result = own.waiter().and_then(|mut waiter| run(&mut waiter));
    OWN.set(Some(own));
    result
}

/// Sleeps for a duration: seconds, or a timedelta. Never shorter. Returns how the wait went.
///
/// It waits with a sleeper of this thread: at most 1 % of waits end late, and at most 5 % of the time is
/// spun. A `Sleeper` of your own has other limits.
///
/// >>> wake = sleep(0.0005)
/// >>> wake.lateness < 1
/// True
#[pyfunction(name = "sleep")]
#[pyo3(signature = (duration, *, cancel=None))]
pub fn sleep_here(
    py: Python<'_>,
    duration: &Bound<'_, PyAny>,
    cancel: Option<&Cancel>,
) -> PyResult<Py<Wake>> {
    with_own(|waiter| sleep(py, waiter, duration, cancel))
}

/// Sleeps until an instant, in nanoseconds of the clock. If it has passed, only reads the clock.
///
/// >>> deadline = now_ns() + 500_000
/// >>> sleep_until(deadline).woke_ns >= deadline
/// True
#[pyfunction]
#[pyo3(signature = (deadline_ns, *, cancel=None))]
pub fn sleep_until(
    py: Python<'_>,
    deadline_ns: &Bound<'_, PyAny>,
    cancel: Option<&Cancel>,
) -> PyResult<Py<Wake>> {
    let deadline = instant("deadline_ns", deadline_ns)?;
    with_own(|waiter| wait(py, waiter, deadline.into(), cancel))
}
