//! A periodic loop that does not drift.

use crate::cancel::Cancel;
use crate::errors::{BusyError, Cancelled, InvalidInputError};
use crate::lateness::Lateness;
use crate::quantities::{instant, period, to_fraction};
use crate::sleeper::Sleeper;
use crate::virtual_time::is_virtual;
use crate::wake::Tick;
use punctual::{Instant, MissedTicks, Period, Phase, Schedule, Start};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Wakes the thread once per period, on a schedule that does not drift. Iterate over it.
///
/// Give exactly one of
///   hz: a rate, such as 1000, 59.94 (read as this decimal), or Fraction(30000, 1001);
///   period: seconds, such as 0.001 (read as this decimal), Fraction(1001, 30000), or a timedelta;
///   period_ns: whole nanoseconds.
///
/// missed_ticks: what a late loop gets of the periods that passed meanwhile:
///   "skip": the last tick that passed (the default);
///   "burst": every tick that passed, at once;
///   a number n: the last n ticks that passed, at once;
///   "delay": one tick, from which the schedule starts again.
/// start_ns: the instant of tick 0. By default it is when the first tick is asked for.
/// cancel: a Cancel that ends the loop.
/// sleeper: the Sleeper that it waits with. By default it has one of its own.
///
/// If another thread computes, Python takes its lock from it only after the switch interval, 5 ms. So a
/// shorter period cannot be kept beside it; set `switch_interval`, or compute in another process. From
/// Python 3.13 on, it can beside a main thread that computes, when this loop runs in another thread.
///
/// >>> [tick.index for tick, _ in zip(Ticker(hz=1000, missed_ticks="burst"), range(3))]
/// [0, 1, 2]
#[pyclass(frozen, module = "punctually")]
pub struct Ticker {
    sleeper: Py<Sleeper>,
    cancel: Option<Py<Cancel>>,
    plan: Mutex<Plan>,
    /// Held while it waits for a tick.
    turn: Mutex<()>,
}

#[derive(Clone, Copy)]
struct Plan {
    schedule: Schedule,
    /// Whether it starts anew where the next tick is asked for.
    starts_when_asked: bool,
    start: Start,
}

impl Ticker {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next deadline: where the schedule has it, or where it starts, if it does with this tick.
    fn next_deadline(&self, start: impl FnOnce(Period) -> Start) -> Option<Instant> {
        let mut plan = self.plan();
        if plan.starts_when_asked {
            plan.start = start(plan.schedule.period());
            let at = plan.start.at();
            plan.schedule.restart(at);
            plan.starts_when_asked = false;
        }
        plan.schedule.next_deadline()
    }

    /// Its schedule, which starts at this instant unless it was given another.
    pub fn schedule(&self, now: Instant) -> Schedule {
        self.next_deadline(|_| Start::as_asked(now));
        self.plan().schedule
    }

    /// Waits for the next tick. `None` at the end of time.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Py<Tick>>> {
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(BusyError::new_err(
                    "this ticker is waiting already, in another thread or below this signal handler",
                ));
            }
        };
        let mut waiter = self.sleeper.get().waiter()?;
        let now = crate::clock::now()?;
        let cancel = self.cancel.as_ref().map(|cancel| &cancel.get().inner);
        let start = |period| match is_virtual() {
            true => Start::as_asked(now),
            false => waiter.sleeper_mut().start_off_ticks(now, period),
        };
        let Some(deadline) = self.next_deadline(start) else {
            return Ok(None);
        };
        self.plan().start.look(waiter.sleeper().os());
        if cancel.is_some_and(punctual::Cancel::is_cancelled) {
            return Err(Cancelled::new_err("the ticker was cancelled"));
        }
        let ticked = if now < deadline {
            let wake = waiter.wait(py, deadline.into(), cancel)?;
            let tick = self.plan().schedule.tick(wake.woke);
            tick.map(|tick| (tick, Lateness::after(&wake, tick.deadline, tick.woke)))
        } else {
            let tick = self.plan().schedule.overdue_tick(now);
            tick.map(|tick| (tick, Lateness::overdue(tick.deadline, tick.woke)))
        };
        let created = ticked.map(|(tick, lateness)| Tick::create(py, tick, lateness));
        created.transpose()
    }
}

#[pymethods]
impl Ticker {
    #[new]
    #[pyo3(signature = (
        *, hz=None, period=None, period_ns=None, missed_ticks=None, start_ns=None, cancel=None,
        sleeper=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        py: Python<'_>,
        hz: Option<&Bound<'_, PyAny>>,
        period: Option<&Bound<'_, PyAny>>,
        period_ns: Option<u64>,
        missed_ticks: Option<&Bound<'_, PyAny>>,
        start_ns: Option<&Bound<'_, PyAny>>,
        cancel: Option<Py<Cancel>>,
        sleeper: Option<Py<Sleeper>>,
    ) -> PyResult<Self> {
        let period = self::period(hz, period, period_ns)?;
        let start = start_ns
            .map(|start| instant("start_ns", start))
            .transpose()?;
        let schedule = Schedule::new(start.unwrap_or(Instant::ZERO), period)
            .with_missed_ticks(policy(missed_ticks)?);
        let sleeper = match sleeper {
            Some(sleeper) => sleeper,
            None => Py::new(py, Sleeper::default_one()?)?,
        };
        Ok(Self {
            sleeper,
            cancel,
            plan: Mutex::new(Plan {
                schedule,
                starts_when_asked: start.is_none(),
                start: Start::as_asked(Instant::ZERO),
            }),
            turn: Mutex::new(()),
        })
    }

    fn __iter__(ticker: PyRef<'_, Self>) -> PyRef<'_, Self> {
        ticker
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Tick>>> {
        match self.next(py) {
            Err(error) if error.is_instance_of::<Cancelled>(py) => Ok(None),
            next => next,
        }
    }

    /// Waits for the next tick. Raises Cancelled if it was cancelled, where a loop would end.
    fn tick(&self, py: Python<'_>) -> PyResult<Py<Tick>> {
        self.next(py)?
            .ok_or_else(|| PyOverflowError::new_err("the next tick is past the end of 64-bit time"))
    }

    /// Changes the period from now on, without a jump of the phase: the rest of the present period
    /// passes at the new rate. Any thread may call it; a wait that has begun ends when it would have.
    ///
    /// Takes hz, period or period_ns, as Ticker does.
    #[pyo3(signature = (*, hz=None, period=None, period_ns=None))]
    fn set_period(
        &self,
        hz: Option<&Bound<'_, PyAny>>,
        period: Option<&Bound<'_, PyAny>>,
        period_ns: Option<u64>,
    ) -> PyResult<()> {
        let period = self::period(hz, period, period_ns)?;
        let now = crate::clock::now()?;
        let mut plan = self.plan();
        plan.schedule.set_period(now, period);
        plan.start = Start::as_asked(now);
        Ok(())
    }

    /// Makes the next tick come at once, and the ticks after it follow at whole periods. Use it after a
    /// pause: nothing counts as missed, and the pause earns no budget for spinning.
    fn restart(&self) -> PyResult<()> {
        self.sleeper.get().waiter()?.resume();
        self.plan().starts_when_asked = true;
        Ok(())
    }

    /// Where its deadlines lie: "as-asked", or "off-ticks" if it chose to start where they keep away from the ticks of the
    /// Linux kernel, and they still do.
    #[getter]
    fn phase(&self) -> &'static str {
        match self.plan().start.phase() {
            Phase::OffTicks => "off-ticks",
            _ => "as-asked",
        }
    }

    /// For `aio.Ticker`: the next deadline in nanoseconds, and None at the end of time.
    fn _next_deadline_ns(&self) -> PyResult<Option<u64>> {
        let now = crate::clock::now()?;
        let deadline = self.next_deadline(|_| Start::as_asked(now));
        Ok(deadline.map(Instant::as_nanos))
    }

    /// For `aio.Ticker`: the tick whose deadline has come. `due_ns` is when the event loop knew; None if
    /// the deadline had passed before it was asked for.
    fn _tick_now(&self, py: Python<'_>, due_ns: Option<u64>) -> PyResult<Option<Py<Tick>>> {
        let now = crate::clock::now()?;
        // Python code may run while a tick is created, and so the plan is free again by then.
        let tick = match due_ns {
            Some(_) => self.plan().schedule.tick(now),
            None => self.plan().schedule.overdue_tick(now),
        };
        let created = tick.map(|tick| {
            let due = due_ns.map_or(tick.deadline, Instant::from_nanos);
            let overdue = Lateness::overdue(due.max(tick.deadline), tick.woke);
            let deadline = tick.deadline;
            let lateness = Lateness {
                deadline,
                ..overdue
            };
            Tick::create(py, tick, lateness)
        });
        created.transpose()
    }

    /// The period: a Fraction of seconds.
    #[getter]
    fn period<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_fraction(py, self.plan().schedule.period())
    }

    /// The rate in hertz, for display.
    #[getter]
    fn hz(&self) -> f64 {
        self.plan().schedule.period().as_hertz_f64()
    }

    /// The sleeper that it waits with.
    #[getter]
    fn sleeper(&self, py: Python<'_>) -> Py<Sleeper> {
        self.sleeper.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!("<Ticker hz={}>", self.hz())
    }
}

/// What is done about missed ticks, as Python writes it.
fn policy(missed_ticks: Option<&Bound<'_, PyAny>>) -> PyResult<MissedTicks> {
    let Some(policy) = missed_ticks else {
        return Ok(MissedTicks::Skip);
    };
    if let Ok(count) = policy.extract::<u32>() {
        return Ok(MissedTicks::BurstOf(count));
    }
    match policy.extract::<String>().as_deref() {
        Ok("skip") => Ok(MissedTicks::Skip),
        Ok("burst") => Ok(MissedTicks::Burst),
        Ok("delay") => Ok(MissedTicks::Delay),
        _ => Err(InvalidInputError::new_err(format!(
            "missed_ticks must be 'skip', 'burst', 'delay' or a number of ticks, not {}",
            policy.repr()?
        ))),
    }
}
