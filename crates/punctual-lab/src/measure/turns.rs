//! Methods take turns in short blocks, so that a disturbance of the machine affects all of them
//! alike. In a block the deadlines lie on a fixed grid. A wake-up after several deadlines serves
//! all of them. If a request for a timer interval takes a while to take effect, the first waits of
//! each block are not counted.

use crate::machine::{Machine, ThreadTimes};
use crate::observer::Observer;
use crate::waiters::Wait;
use crate::waiters::contenders::Contender;
use punctual::{Instant, Period};
use punctual_data::statistics::{Series, Turn};
use std::time::Duration;

/// The length of a turn. It is long enough that the change of turns costs nothing, and short enough
/// that a disturbance (a neighbour on the host, a burst of network traffic) affects every method.
const BLOCK: Duration = Duration::from_millis(50);

/// What to measure, for any methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The time between two deadlines.
    pub period: Period,
    /// How many times each method waits, without the warm-up.
    pub waits: u64,
    /// How long everything may take, if some methods are not punctual. Methods then wait less
    /// often; a round of turns that has begun is completed.
    pub takes: Option<Duration>,
}

impl Plan {
    /// The number of waits in a turn.
    pub fn waits_per_block(&self) -> u64 {
        self.period.index_after(BLOCK).clamp(1, self.waits.max(1))
    }

    /// The number of waits of each method that are not counted: one turn. In it caches fill, code
    /// is paged in, and margins are first learned.
    pub fn warm_up(&self) -> u64 {
        self.waits_per_block()
    }

    /// How long it takes to measure this many punctual methods.
    pub fn expected_duration(&self, methods: u64) -> Duration {
        let waits = (self.waits + self.warm_up()).saturating_mul(methods);
        self.period.offset(waits).unwrap_or(Duration::MAX)
    }
}

/// Measures on the calling thread, until every contender has waited as often as planned or the
/// observer stops it. The observer gets the series.
pub fn measure<M: Machine>(
    machine: &M,
    plan: &Plan,
    contenders: &mut [Contender],
    observer: &mut dyn Observer<Series>,
) {
    let times = machine.thread_times();
    let mut series: Vec<_> = contenders
        .iter()
        .map(|contender| Series::new(&contender.name))
        .collect();
    let mut made = 0;
    let began = machine.now();
    for (round, waits) in rounds(plan).enumerate() {
        let is_over = |takes| machine.now().duration_since(began) >= takes;
        // The first round is the warm-up; at least one more counts.
        if round > 1 && plan.takes.is_some_and(is_over) {
            return;
        }
        for (index, contender) in contenders.iter_mut().enumerate() {
            let mut warm_up = Series::new(&contender.name);
            let target = if round == 0 {
                &mut warm_up
            } else {
                &mut series[index]
            };
            let block = Block {
                machine,
                times: &*times,
                period: plan.period,
                waits,
                takes: plan.takes.map(|_| BLOCK),
            };
            block.run(&mut *contender.wait, target, observer);
            made += waits;
            observer.block(index, &series[index], made);
            if observer.stops() {
                return;
            }
        }
    }
}

/// How many waits each method makes in each round: first the warm-up, then the planned ones.
fn rounds(plan: &Plan) -> impl Iterator<Item = u64> {
    let block = plan.waits_per_block();
    let full = std::iter::repeat_n(
        block,
        usize::try_from(plan.waits / block).unwrap_or(usize::MAX),
    );
    let rest = Some(plan.waits % block).filter(|&waits| waits > 0);
    std::iter::once(plan.warm_up()).chain(full).chain(rest)
}

/// One turn of one method.
struct Block<'a, M> {
    machine: &'a M,
    times: &'a dyn ThreadTimes,
    period: Period,
    waits: u64,
    /// No wait begins after this instant.
    takes: Option<Duration>,
}

impl<M: Machine> Block<'_, M> {
    fn run(&self, wait: &mut dyn Wait, series: &mut Series, observer: &mut dyn Observer<Series>) {
        wait.begin_turn();
        let start = self.machine.now();
        let mut index = self.settle(wait, start, observer);
        let began = self.machine.now();
        let processor_before = self.times.processor();
        let mut queued_before = self.times.queue();
        let mut woken = 0;
        let mut served = Vec::new();
        for _ in 0..self.waits {
            let Some(deadline) = self.period.deadline(start, index) else {
                break;
            };
            observer.waits(deadline);
            let woke = wait.wait_until(deadline);
            let queued_after = self.times.queue();
            let queued = queued_after
                .zip(queued_before)
                .map(|(after, before)| after - before);
            queued_before = queued_after;
            observer.woke(woke, queued);
            if woke < deadline {
                series.early += 1;
            }
            series.record_wake(woke.duration_since(deadline), queued);
            woken += 1;
            index = self.serve_deadlines(start, index, woke, &mut served) + 1;
            let is_over = self
                .takes
                .is_some_and(|takes| woke.duration_since(began) >= takes);
            if is_over || observer.stops() {
                break;
            }
        }
        let processor = self.times.processor() - processor_before;
        let elapsed = self.machine.now().duration_since(began);
        // The start of a turn is not counted either: programs have no turns, so they do not pay for
        // it.
        wait.end_turn();
        series.record_turn(&Turn {
            missed: served.len() as u64 - woken,
            per_deadline: served,
            processor,
            elapsed,
        });
    }

    /// Waits without counting until the method's request is in force. A program's loop has this
    /// delay once and not in every turn. Returns the index of the first deadline that counts, on
    /// the same grid.
    fn settle(&self, wait: &mut dyn Wait, start: Instant, observer: &dyn Observer<Series>) -> u64 {
        let settled = start + self.machine.request_delay();
        let mut index = 1;
        while let Some(deadline) = self.period.deadline(start, index) {
            if deadline >= settled || observer.stops() {
                break;
            }
            let woke = wait.wait_until(deadline);
            let last_due = self.period.index_after(woke.duration_since(start));
            index = last_due.max(index) + 1;
        }
        index
    }

    /// Records the lateness of the deadline that was waited for, and of every later one that had
    /// passed by then, as served at `woke`. Returns the index of the last.
    fn serve_deadlines(
        &self,
        start: Instant,
        index: u64,
        woke: Instant,
        served: &mut Vec<Duration>,
    ) -> u64 {
        let last_due = self
            .period
            .index_after(woke.duration_since(start))
            .max(index);
        for due in index..=last_due {
            let deadline = self.period.deadline(start, due).unwrap_or(woke);
            served.push(woke.duration_since(deadline));
        }
        last_due
    }
}
