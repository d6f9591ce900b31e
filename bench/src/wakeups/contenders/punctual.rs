//! Punctual's driver, on this thread.

use super::super::workload::Workload;
use super::{Account, Contender, Turn};
use crate::failure::Failure;
use crate::statistics::{LATE, nanos};
use crate::waiting::PUNCTUAL;
use crate::waiting::grid::Outcome;
use punctual::{Schedule, Sleeper, Tick};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// `Driver::run` with a sleeper as it ships, which is kept.
pub struct Driver {
    tolerance: f64,
    sleeper: Sleeper,
}

#[derive(Default)]
struct Notes {
    latenesses: Vec<u64>,
    beyond_window: u64,
}

impl Driver {
    pub fn tolerating(tolerance: f64) -> Self {
        Self {
            tolerance,
            sleeper: Sleeper::new(),
        }
    }
}

impl Contender for Driver {
    fn name(&self) -> &'static str {
        PUNCTUAL
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.tolerance)
    }

    fn keep(&mut self, workload: &Workload) -> Result<Turn, Failure> {
        let driver = punctual::Driver::new();
        let timers = driver.handle();
        let room = usize::try_from(workload.firings())?;
        let notes = Arc::new(Mutex::new(Notes {
            latenesses: Vec::with_capacity(room + workload.tasks.len()),
            beyond_window: 0,
        }));
        // While the others had their turns the budget would have filled.
        self.sleeper.resume();
        let account = Account::open();
        for task in &workload.tasks {
            let schedule = Schedule::new(task.first(account.start), task.exact_period());
            let (tolerance, notes) = (task.tolerance(self.tolerance), Arc::clone(&notes));
            let os = self.sleeper.os().clone();
            let note = move |tick: Tick| {
                let lateness = os.now().duration_since(tick.deadline);
                let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
                notes.latenesses.push(nanos(lateness));
                notes.beyond_window += u64::from(lateness > tolerance + LATE);
            };
            timers.tolerating(tolerance).repeat(schedule, note)?;
        }
        let stop = timers.clone();
        let end = account.start + workload.duration;
        timers.once(end, move |_| stop.shut_down())?;
        driver.run(&mut self.sleeper);
        let counters = timers.counters();
        let notes = mem::take(&mut *notes.lock().unwrap_or_else(PoisonError::into_inner));
        let missed = u32::try_from(counters.missed)?;
        let turn = account.close(Vec::new(), missed);
        Ok(Turn {
            outcome: Outcome {
                latenesses: notes.latenesses,
                ..turn.outcome
            },
            wakeups: Some(counters.wakeups),
            beyond_window: Some(notes.beyond_window),
            ..turn
        })
    }
}
