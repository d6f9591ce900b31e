//! Wakes an event loop of asyncio: a thread waits without the interpreter's lock, and rings the loop.
//!
//! The loop needs the lock, and its own time, before it can go on. So the alarm comes early, by a lead
//! that is learned from how long the loop took, and the loop spins for what is left.

use crate::clock::native;
use crate::errors::{ShutDownError, raised};
use crate::lead::Lead;
use crate::os::Doorbell;
use crate::switch_interval;
use punctual::{Budget, DriverThread, Instant, Native, Os, Sleeper, Spin, Timer};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A loop that has nothing else to do goes on in some microseconds. So much is spun in the waiter if it is
/// sooner.
const LONGEST_RESUMPTION: Duration = Duration::from_micros(100);

/// The alarm of one event loop. Only the thread of the loop uses it.
#[pyclass(frozen, module = "punctually._native")]
pub struct LoopAlarm {
    os: Native,
    tell: Arc<Tell>,
    state: Mutex<State>,
    /// `None` once it is dropped.
    thread: Option<DriverThread>,
}

/// How the loop is told.
enum Tell {
    Doorbell(Doorbell),
    Call(Py<PyAny>),
}

struct State {
    lead: Lead,
    timer: Option<Timer>,
    /// When it goes off, and what for.
    at: Instant,
    deadline: Instant,
    last_end: Instant,
    /// When a waiter was told that its time has come, until it goes on.
    told: Option<Instant>,
    /// How long that takes lately.
    resuming: Duration,
}

impl State {
    /// Learns how long a waiter took to go on. One that was kept from it for long says nothing.
    fn resumed(&mut self, now: Instant) {
        if let Some(told) = self.told.take() {
            let took = now.duration_since(told).min(LONGEST_RESUMPTION);
            self.resuming = (self.resuming * 7 + took) / 8;
        }
    }
}

impl Tell {
    fn ring(&self) {
        match self {
            Self::Doorbell(doorbell) => doorbell.ring(),
            // An interpreter that is about to end has no loop to wake.
            Self::Call(call) => {
                Python::try_attach(|py| {
                    if let Err(error) = call.call0(py) {
                        error.write_unraisable(py, Some(call.bind(py)));
                    }
                });
            }
        }
    }
}

impl LoopAlarm {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets it, this long before the deadline.
    fn arm_with(&self, state: &mut State, deadline: Instant, lead: Duration) -> PyResult<()> {
        if let Some(timer) = state.timer.take() {
            timer.cancel();
        }
        let Some(thread) = &self.thread else {
            return Ok(());
        };
        let at = (deadline - lead).max(self.os.now());
        let tell = Arc::clone(&self.tell);
        let timer = thread.handle().once(at, move |_| tell.ring());
        state.timer = Some(timer.map_err(|error| ShutDownError::new_err(error.to_string()))?);
        (state.at, state.deadline) = (at, deadline);
        Ok(())
    }

    /// Sets it for a deadline, as early as the loop takes.
    fn arm_early(&self, state: &mut State, deadline: Instant) -> PyResult<()> {
        let length = deadline.duration_since(self.os.now());
        let lead = state.lead.before(length) + state.resuming;
        self.arm_with(state, deadline, lead)
    }
}

#[pymethods]
impl LoopAlarm {
    /// `call_loop` tells the loop where it cannot poll `fileno()`.
    #[new]
    fn new(call_loop: Option<Py<PyAny>>) -> PyResult<Self> {
        let os = native()?.clone();
        let doorbell = if call_loop.is_none() {
            Doorbell::new()?
        } else {
            None
        };
        let tell = match (doorbell, call_loop) {
            (Some(doorbell), _) => Tell::Doorbell(doorbell),
            (None, Some(call)) => Tell::Call(call),
            (None, None) => {
                return Err(crate::errors::UnsupportedError::new_err(
                    "event loops of this system poll no file descriptors",
                ));
            }
        };
        let sleeper = Sleeper::on(os.clone()).coarse();
        let thread = punctual::Driver::on(os.clone())
            .start_with(sleeper)
            .map_err(|error| raised(&error))?;
        Ok(Self {
            state: Mutex::new(State {
                lead: Lead::of_loop(Budget::default().share()),
                timer: None,
                at: Instant::ZERO,
                deadline: Instant::ZERO,
                last_end: os.now(),
                told: None,
                resuming: Duration::ZERO,
            }),
            tell: Arc::new(tell),
            os,
            thread: Some(thread),
        })
    }

    /// What the loop polls; -1 if it is called.
    fn fileno(&self) -> i32 {
        match &*self.tell {
            Tell::Doorbell(doorbell) => doorbell.number(),
            Tell::Call(_) => -1,
        }
    }

    /// Sets the alarm for a deadline, as early as the loop takes.
    fn arm(&self, deadline_ns: u64) -> PyResult<()> {
        self.arm_early(&mut self.state(), Instant::from_nanos(deadline_ns))
    }

    /// To be called when it went off and nothing waits.
    fn hush(&self) {
        if let Tell::Doorbell(doorbell) = &*self.tell {
            doorbell.hush();
        }
    }

    /// To be called when it went off. Returns an instant whose waiters are to be told now: the deadline,
    /// or a later one. That is after a spin, if the budget allows one; or None, and it will go off again.
    fn rang(&self, py: Python<'_>, deadline_ns: u64) -> PyResult<Option<u64>> {
        self.hush();
        let mut state = self.state();
        let (now, deadline) = (self.os.now(), Instant::from_nanos(deadline_ns));
        let tells_at = deadline - state.resuming;
        let early = tells_at.duration_since(now);
        // Or else it rang for one that was cancelled.
        let is_for_this = now >= state.at && deadline == state.deadline;
        if !early.is_zero() && !is_for_this {
            self.arm_early(&mut state, deadline)?;
            return Ok(None);
        }
        let took = now.duration_since(state.at);
        if is_for_this {
            state.lead.learn(took, false, || switch_interval::get(py));
        }
        if !early.is_zero() && !state.lead.affords(early) {
            let resuming = state.resuming;
            self.arm_with(&mut state, deadline, resuming)?;
            return Ok(None);
        }
        let told = if early.is_zero() {
            now
        } else {
            self.os.spin_until(tells_at, Spin::default())
        };
        let elapsed = told.duration_since(state.last_end);
        state.lead.spend(elapsed, early);
        state.last_end = told;
        state.told = Some(told);
        Ok(Some(told.max(deadline).as_nanos()))
    }

    /// To be called by a waiter that goes on. Returns when its deadline has come.
    fn resumed(&self, deadline_ns: u64) -> u64 {
        let now = self.os.now();
        self.state().resumed(now);
        let deadline = Instant::from_nanos(deadline_ns);
        let woke = if now < deadline {
            self.os.spin_until(deadline, Spin::default())
        } else {
            now
        };
        woke.as_nanos()
    }

    /// How early a wait of this many nanoseconds rings the loop.
    fn lead_ns(&self, length_ns: u64) -> u64 {
        let length = Duration::from_nanos(length_ns);
        crate::lateness::nanos(self.state().lead.before(length))
    }
}

impl Drop for LoopAlarm {
    fn drop(&mut self) {
        // Its thread may need the lock before it can end.
        let thread = self.thread.take();
        let mut thread = Some(thread);
        Python::try_attach(|py| py.detach(|| drop(thread.take())));
    }
}
