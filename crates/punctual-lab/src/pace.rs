//! The experiment: how steadily does each way of keeping a beat keep it, with work after each beat.
//!
//! A loop that is to do something every period waits in one of many ways. Some add what they were
//! late by to every period, some are bound to whole milliseconds or to timer interrupts, and some
//! are right on average although no single beat is. One after the other, each [`Way`] gets the whole
//! duration for itself, because only a long run tells whether it drifts.

mod question;
mod recording;
mod series;
pub(crate) mod ways;

pub use question::{Length, Question};
pub use recording::{PaceRecord, PaceRecording, PlanRecord, SCHEMA, StretchRecord};
pub use series::{Pace, Second};
pub use ways::windows;
pub use ways::{TICKER, portable};

use crate::machine::{Keeping, Machine, Method};
use crate::observer::Observer;
use punctual::os::Spin;
use punctual::{Instant, Period};
use std::ops::ControlFlow;
use std::time::Duration;

/// Beats within this time, and at least one, are not counted: caches fill, margins are learned, and
/// a request counts from the next timer interrupt.
pub const WARM_UP: Duration = Duration::from_millis(200);

/// What loop to keep going.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The time between two beats that is asked for.
    pub period: Period,
    /// How long each way has, warm-up not counted.
    pub duration: Duration,
    /// How long the loop works after every beat.
    pub work: Duration,
}

impl Plan {
    /// How many beats are not counted.
    pub fn warm_up(&self) -> u64 {
        self.period.index_after(WARM_UP).max(1)
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// One way's time.
struct Turn<'a, M> {
    machine: &'a M,
    plan: Plan,
    /// The way's number among those that are tried.
    index: usize,
    pace: Pace,
}

impl<M: Machine> Turn<'_, M> {
    fn run(
        &mut self,
        keeping: Keeping,
        method: &mut dyn Method,
        observer: &mut dyn Observer<Pace>,
    ) {
        let times = self.machine.thread_times();
        let (mut beats, warm_up) = (0, self.plan.warm_up());
        let mut processor = Duration::ZERO;
        keep(self.machine, self.plan, keeping, method, &mut |beat| {
            beats += 1;
            if beats < warm_up {
                return flow(observer.stops());
            }
            if beats == warm_up {
                processor = times.processor();
            }
            let second_is_over = self.pace.record(beat);
            let is_over = observer.stops() || self.pace.elapsed() >= self.plan.duration;
            if second_is_over || is_over {
                self.pace.processor = times.processor() - processor;
                observer.block(self.index, &self.pace, self.done());
            }
            flow(is_over)
        });
    }

    fn done(&self) -> u64 {
        let each = milliseconds(self.plan.duration);
        self.index as u64 * each + milliseconds(self.pace.elapsed()).min(each)
    }
}

fn flow(is_over: bool) -> ControlFlow<()> {
    if is_over {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// A beat of a loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beat {
    /// When the loop began to wait for it.
    pub(crate) began: Instant,
    /// When it came.
    pub(crate) woke: Instant,
}

/// Keeps a beat, works after every one, and tells each, until it is told to stop or the end of
/// 64-bit time.
pub(crate) fn keep<M: Machine>(
    machine: &M,
    plan: Plan,
    keeping: Keeping,
    method: &mut dyn Method,
    each: &mut dyn FnMut(Beat) -> ControlFlow<()>,
) {
    method.begin_turn();
    let start = machine.now();
    let mut last = start;
    for index in 1.. {
        let began = machine.now();
        let deadlines = keeping.deadlines(plan.period, start, last, index);
        let Some(deadlines) = deadlines else {
            break;
        };
        let mut woke = began;
        if deadlines.sleep_until > began || keeping == Keeping::Itself {
            woke = method.wait_until(deadlines.sleep_until);
        }
        if deadlines.spin_until > woke {
            woke = machine.spin_until(deadlines.spin_until, Spin::Pause);
        }
        last = woke;
        if each(Beat { began, woke }).is_break() {
            break;
        }
        if !plan.work.is_zero() {
            machine.work(plan.work);
        }
    }
    method.end_turn();
}

#[cfg(test)]
mod tests;
