//! The native half of `Driver`: a queue of timers, and the loop of the thread that serves it.

mod calls;
mod results;

use crate::clock::native;
use crate::errors::{Cancelled, ForkedError, ShutDownError};
use crate::lateness::nanos;
use crate::quantities::{duration, instant};
use crate::sleeper::Sleeper;
use crate::ticker::Ticker;
use calls::Calls;
use punctual::os::NativeOrigin;
use punctual::{Cancel, Handle, Instant, Native, Os, ShutDown, Window};
use pyo3::prelude::*;
pub use results::{Cancellation, Firing, Timer};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// From here on a timer is waited for with a lead: three times as long as the lead is with Python's usual
/// switch interval.
const NEAR: Duration = Duration::from_millis(20);

/// What `Driver` in driver.py stands on.
#[pyclass(frozen, module = "punctually._native")]
pub struct DriverCore {
    os: Native,
    /// Until it is served.
    driver: Mutex<Option<punctual::Driver>>,
    handle: Handle<Native>,
    sleeper: Py<Sleeper>,
    calls: Arc<Calls>,
    /// Ends the wait of the serving thread when an earlier timer comes, or the shutdown.
    sooner: Cancel,
    /// Forks do not have the serving thread.
    origin: NativeOrigin,
}

impl DriverCore {
    /// The handle for new timers, with this tolerance.
    fn handle(&self, tolerance: Option<&Bound<'_, PyAny>>) -> PyResult<Handle<Native>> {
        self.check_fork()?;
        let tolerance = tolerance.map(|tolerance| duration("tolerance", tolerance));
        Ok(self
            .handle
            .tolerating(tolerance.transpose()?.unwrap_or_default()))
    }

    fn check_fork(&self) -> PyResult<()> {
        if self.os.is_forked(&self.origin) {
            return Err(ForkedError::new_err(
                "this driver belongs to the parent of this process, and a fork has none of its \
                 parent's threads: make a new Driver here",
            ));
        }
        Ok(())
    }

    /// The window of the next timer, or of the end of time. `None` after the shutdown.
    fn next(&self, driver: &mut punctual::Driver) -> Option<Window> {
        // First of all: what comes from here on must end the wait.
        self.sooner.reset();
        let window = driver.next_wakeup().unwrap_or(Instant::MAX.into());
        (!self.handle.is_shut_down()).then_some(window)
    }

    fn is_near(&self, window: Window) -> bool {
        self.os.now() >= window.earliest() - NEAR
    }

    /// Waits until the next timer is near, and returns its window. It may be one that comes meanwhile.
    /// `None` after the shutdown.
    fn come_near(
        &self,
        mut next: Window,
        driver: &mut punctual::Driver,
        far: &mut punctual::Sleeper,
    ) -> Option<Window> {
        while !self.is_near(next) {
            // Whatever ends it, the next timer may be another one now.
            let _ = far.sleep_until_unless(next.earliest() - NEAR, &self.sooner);
            next = self.next(driver)?;
        }
        Some(next)
    }

    fn timer(&self, timer: Result<punctual::Timer, ShutDown>) -> PyResult<Timer> {
        timer
            .map(|inner| Timer { inner })
            .map_err(|error| ShutDownError::new_err(error.to_string()))
    }
}

#[pymethods]
impl DriverCore {
    #[new]
    fn new(sleeper: Py<Sleeper>, on_error: Option<Py<PyAny>>) -> PyResult<Self> {
        let os = native()?.clone();
        let mut driver = punctual::Driver::on(os.clone());
        let sooner = Cancel::on(os.clone());
        let bell = sooner.clone();
        driver.on_sooner(move || bell.cancel());
        Ok(Self {
            origin: os.origin(),
            os,
            handle: driver.handle(),
            driver: Mutex::new(Some(driver)),
            sleeper,
            calls: Arc::new(Calls::new(on_error)),
            sooner,
        })
    }

    /// Serves the queue on this thread until the shutdown.
    fn serve(&self, py: Python<'_>) -> PyResult<()> {
        let driver = self
            .driver
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(mut driver) = driver else {
            return Ok(());
        };
        let mut waiter = self.sleeper.get().waiter()?;
        let mut far = punctual::Sleeper::on(self.os.clone()).coarse();
        while let Some(next) = self.next(&mut driver) {
            let near = if self.is_near(next) {
                Some(next)
            } else {
                py.detach(|| self.come_near(next, &mut driver, &mut far))
            };
            let Some(window) = near else { break };
            match waiter.wait(py, window, Some(&self.sooner)) {
                Ok(wake) => self.calls.woke(wake),
                Err(error) if error.is_instance_of::<Cancelled>(py) => continue,
                // Of a handler of signals, if a program serves on its main thread. The timers are due all the same.
                Err(error) => self.calls.report(py, error, None),
            }
            driver.run_due();
        }
        Ok(())
    }

    fn after(
        &self,
        delay: &Bound<'_, PyAny>,
        callback: Py<PyAny>,
        tolerance: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Timer> {
        let handle = self.handle(tolerance)?;
        let delay = duration("delay", delay)?;
        self.timer(handle.after(delay, Calls::once(&self.calls, callback)))
    }

    fn once(
        &self,
        deadline_ns: &Bound<'_, PyAny>,
        callback: Py<PyAny>,
        tolerance: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Timer> {
        let handle = self.handle(tolerance)?;
        let deadline = instant("deadline_ns", deadline_ns)?;
        self.timer(handle.once(deadline, Calls::once(&self.calls, callback)))
    }

    /// `when` is a ticker with the schedule of the calls.
    fn every(
        &self,
        callback: Py<PyAny>,
        when: &Ticker,
        tolerance: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Timer> {
        let handle = self.handle(tolerance)?;
        let schedule = when.schedule(handle.now());
        self.timer(handle.repeat(schedule, Calls::repeated(&self.calls, callback)))
    }

    /// What `Counters` in driver.py has, in its order.
    fn counters(&self) -> PyResult<[u64; 6]> {
        self.check_fork()?;
        let count = self.handle.counters();
        let worst = nanos(count.worst_excess);
        let (late, missed) = (count.late, count.missed);
        Ok([
            count.fired,
            late,
            missed,
            count.overruns,
            self.calls.errors(),
            worst,
        ])
    }

    /// How many timers wait.
    fn len(&self) -> usize {
        if self.is_forked() {
            0
        } else {
            self.handle.len()
        }
    }

    fn is_shut_down(&self) -> bool {
        self.is_forked() || self.handle.is_shut_down()
    }

    fn is_forked(&self) -> bool {
        self.os.is_forked(&self.origin)
    }

    /// Ends `serve`. In a fork there is nothing to end.
    fn shut_down(&self) {
        if !self.is_forked() {
            self.handle.shut_down();
        }
    }
}
