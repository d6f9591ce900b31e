//! A wait that leaves the interpreter's lock to other threads while the system waits.

use crate::errors::Cancelled;
use crate::lead::Lead;
use crate::line::Place;
use crate::{switch_interval, virtual_time};
use punctual::{Cancel, Instant, Margin, Native, Os, Rest, Sleeper, Wait, Wake, Window};
use pyo3::prelude::*;
use std::time::Duration;

/// A signal that comes between the last look for signals and the beginning of the system's wait does
/// not end that wait. On Windows no signal does. So the thread that handles signals looks for them this
/// often: nobody feels a tenth of a second after Ctrl-C.
const LOOKS_FOR_SIGNALS: Duration = Duration::from_millis(100);

/// A thread that asks for the lock at once gets it back before any other has woken to take it. In this
/// time, another has.
const LETS_GO: Duration = Duration::from_micros(100);

/// The part of the budget that may be spun because the lock came early. The rest is for the margin.
const LEAD_SHARE: f64 = 0.5;

/// A sleeper, and what it knows of the lock.
pub struct Waiter {
    sleeper: Sleeper<Native>,
    lead: Lead,
    /// Where the last wait ended: the budget of the lead is a share of the time since.
    last_end: Option<Instant>,
}

impl Waiter {
    /// Waits with this margin. `budget` is the share of time that may be spun; `None` for no limit. The
    /// margin accounts for all of it, also to the process, and the lead for its own part.
    pub fn new(os: Native, margin: Margin, budget: Option<f64>) -> Self {
        Self {
            sleeper: Sleeper::on(os).with_margin(margin),
            lead: Lead::new(budget.map(|budget| budget * LEAD_SHARE)),
            last_end: None,
        }
    }

    pub fn sleeper(&self) -> &Sleeper<Native> {
        &self.sleeper
    }

    pub fn sleeper_mut(&mut self) -> &mut Sleeper<Native> {
        &mut self.sleeper
    }

    /// Leaves the time since the last wait out of all budgets.
    pub fn resume(&mut self) {
        self.sleeper.resume();
        self.last_end = None;
    }

    /// How early a wait of this length asks for the lock, before its margin.
    pub fn lead(&self, length: Duration) -> Duration {
        self.lead.before(length)
    }

    /// Waits, and holds the lock again at the end. Signals are handled meanwhile; what a handler raises
    /// ends the wait, and so does `cancel`.
    pub fn wait(
        &mut self,
        py: Python<'_>,
        window: Window,
        cancel: Option<&Cancel<Native>>,
    ) -> PyResult<Wake> {
        let is_cancelled = || cancel.is_some_and(Cancel::is_cancelled);
        let virtually = virtual_time::here(|sleeper| {
            let waits = sleeper.now() >= window.earliest() || !is_cancelled();
            waits.then(|| sleeper.sleep_within(window))
        });
        if let Some(wake) = virtually {
            return wake.ok_or_else(cancelled);
        }
        if self.sleeper.margin().shares_budget() {
            let process = self.sleeper.os().process_budget();
            self.lead.draw_on(process.part(self.sleeper.now()));
        }
        let mut wait = self.sleeper.begin(window);
        let began = wait.now();
        let early = rest(py, &mut wait, began, &mut self.lead, cancel)?;
        let wake = wait.finish();
        let elapsed = wake.woke.duration_since(self.last_end.unwrap_or(began));
        self.lead.spend(elapsed, early.min(wake.spun));
        self.last_end = Some(wake.woke);
        let length = window.latest().duration_since(began);
        if self
            .lead
            .helps_no_more(length, wake.regained, || switch_interval::get(py))
        {
            switch_interval::tell_once(py);
        }
        Ok(wake)
    }
}

/// The first half of a wait. Returns how early the lock came, before the margin: it is the lead's
/// spin.
fn rest(
    py: Python<'_>,
    wait: &mut Wait<'_, Native>,
    began: Instant,
    lead: &mut Lead,
    cancel: Option<&Cancel<Native>>,
) -> PyResult<Duration> {
    let window = wait.window();
    let alarm = window.latest() - wait.margin();
    let until = alarm.min(window.earliest());
    let mut ahead = lead.before(window.latest().duration_since(began));
    let mut now = began;
    while now < until {
        let left = alarm.duration_since(now);
        let asks_after = left.saturating_sub(ahead).max(LETS_GO).min(left);
        let is_look = asks_after > LOOKS_FOR_SIGNALS && handles_signals(py)?;
        let rests_for = if is_look {
            LOOKS_FOR_SIGNALS
        } else {
            asks_after
        };
        let (ended, asked, place) = py.detach(|| {
            (
                wait.rest(left - rests_for, cancel),
                wait.now(),
                Place::take(),
            )
        });
        now = wait.now();
        let was_opened = place.is_some_and(|place| place.was_opened());
        match ended {
            Rest::Cancelled => return Err(cancelled()),
            Rest::Ended if !is_look => {
                let took = now.duration_since(asked);
                let was_taken = lead.learn(took, was_opened, || switch_interval::get(py));
                let early = until.duration_since(now);
                if was_taken && lead.affords(early) {
                    return Ok(early);
                }
                // It was free, or it came too early to spin for. Whatever the next one costs, it is
                // asked for in the last moment.
                ahead = Duration::ZERO;
            }
            Rest::Interrupted | Rest::Ended => py.check_signals()?,
        }
    }
    let is_cancelled = cancel.is_some_and(Cancel::is_cancelled) && now < window.earliest();
    if is_cancelled {
        Err(cancelled())
    } else {
        Ok(Duration::ZERO)
    }
}

fn cancelled() -> PyErr {
    Cancelled::new_err("the wait was cancelled before its deadline")
}

/// Whether this is the thread on which Python calls the handlers of signals.
fn handles_signals(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    main.eq(threading.call_method0("get_ident")?)
}
