//! The experiment `pace`: how steadily each way of keeping a beat keeps it, with work after each
//! beat.
//!
//! A periodic loop can wait in many ways. In some ways each late wake-up delays all later beats,
//! some are tied to whole milliseconds or to timer interrupts, and some are right only on average.
//! Each [`Waiter`](crate::waiters::Waiter) runs alone for the whole duration, because drift shows only in a long run.

mod record;
mod schedule;

pub use record::{PaceRecord, PlanRecord, StretchRecord};
pub use schedule::{Beats, Length, Question};

use crate::machine::Machine;
use crate::observer::Observer;
use crate::waiters::{Keeping, Wait};
use punctual::Period;
use punctual::os::Spin;
use punctual_data::pace::{Beat, Pace};
use std::ops::ControlFlow;
use std::time::Duration;

/// How steadily each waiter kept a beat.
pub type PaceRecording = crate::recording::Recording<Beats>;

/// How often a loop tells its pace so far, at most. To take it down is a copy of its statistics, which
/// costs more than a second of a simulated loop.
const MOST_NEWS: u32 = 1_000;

/// Beats within this time, and at least one, are not counted: caches fill, margins are learned, and
/// a request takes effect at the next timer interrupt.
pub const WARM_UP: Duration = Duration::from_millis(200);

/// The loop to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The requested time between two beats.
    pub period: Period,
    /// How long each way runs, without the warm-up.
    pub duration: Duration,
    /// How long the loop works after every beat.
    pub work: Duration,
}

impl Plan {
    /// The number of beats that are not counted.
    pub fn warm_up(&self) -> u64 {
        self.period.index_after(WARM_UP).max(1)
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// One way's run.
struct Turn<'a, M> {
    machine: &'a M,
    plan: Plan,
    /// The way's number among those that are tried.
    index: usize,
    pace: Pace,
}

impl<M: Machine> Turn<'_, M> {
    fn run(&mut self, keeping: Keeping, wait: &mut dyn Wait, observer: &mut dyn Observer<Pace>) {
        let times = self.machine.thread_times();
        let (mut beats, warm_up) = (0, self.plan.warm_up());
        let (mut processor, mut told) = (Duration::ZERO, Duration::ZERO);
        keep(self.machine, self.plan, keeping, wait, &mut |beat| {
            beats += 1;
            if beats < warm_up {
                return flow(observer.stops());
            }
            if beats == warm_up {
                processor = times.processor();
            }
            let second_is_over = self.pace.record(beat);
            let elapsed = self.pace.elapsed();
            let is_over = observer.stops() || elapsed >= self.plan.duration;
            let is_news = second_is_over && elapsed >= told + self.plan.duration / MOST_NEWS;
            if is_news || is_over {
                told = elapsed;
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

/// Keeps a beat, works after each beat, and reports each beat, until it is told to stop or 64-bit
/// time ends.
pub fn keep<M: Machine>(
    machine: &M,
    plan: Plan,
    keeping: Keeping,
    wait: &mut dyn Wait,
    each: &mut dyn FnMut(Beat) -> ControlFlow<()>,
) {
    wait.begin_turn();
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
            woke = wait.wait_until(deadlines.sleep_until);
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
    wait.end_turn();
}

#[cfg(test)]
mod tests;
