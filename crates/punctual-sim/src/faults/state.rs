//! What a faulty machine knows: its chance, its clock, and what each thread has been through.

use super::clock::Clock;
use super::{Calls, FaultCounts, FaultKind, Faults};
use crate::random::Random;

/// The purposes of the streams of chance of one seed.
const CALLS: u64 = 3 << 32;
const CLOCK: u64 = CALLS + 1;

pub(super) struct State {
    faults: Faults,
    random: Random,
    clock: Clock,
    pub(super) counts: FaultCounts,
    /// By lane.
    threads: Vec<Thread>,
}

#[derive(Clone, Copy, Default)]
struct Thread {
    calls: Calls,
    /// A bell that woke it will do so again.
    is_woken_again: bool,
}

/// When a call is slow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slow {
    Before(u64),
    After(u64),
}

/// How a wait that a bell ended goes on.
pub(super) struct Rung {
    pub(super) late_by: Option<u64>,
    pub(super) is_unsaid: bool,
}

impl State {
    pub(super) fn new(seed: u64, faults: Faults) -> Self {
        Self {
            faults,
            random: Random::stream(seed, CALLS),
            clock: Clock::new(&faults, Random::stream(seed, CLOCK)),
            counts: FaultCounts::default(),
            threads: Vec::new(),
        }
    }

    /// What the clock shows at this instant of the machine below.
    pub(super) fn shows(&mut self, at: u64) -> u64 {
        self.clock.shows(at, &mut self.counts)
    }

    /// When the clock will show this.
    pub(super) fn when(&mut self, reading: u64) -> u64 {
        self.clock.when(reading)
    }

    pub(super) fn calls(&mut self, lane: usize) -> &mut Calls {
        &mut self.thread(lane).calls
    }

    fn thread(&mut self, lane: usize) -> &mut Thread {
        if lane >= self.threads.len() {
            self.threads.resize(lane + 1, Thread::default());
        }
        &mut self.threads[lane]
    }

    pub(super) fn slow_call(&mut self) -> Option<Slow> {
        let by = self.faults.slow_calls.draw(&mut self.random)?;
        self.counts.add(FaultKind::SlowCall, 1);
        Some(match self.random.next_u64() & 1 {
            0 => Slow::Before(by),
            _ => Slow::After(by),
        })
    }

    /// Until which instant of the machine below a wait that begins `now` is to last.
    pub(super) fn wait_until(
        &mut self,
        now: u64,
        reading: Option<u64>,
        lane: usize,
    ) -> Option<u64> {
        let mut end = reading.map(|reading| self.clock.when(reading));
        if end.is_some_and(|end| end <= now) {
            return end;
        }
        if let Some(on_time) = end
            && let Some(late) = self.faults.late_timers.draw(&mut self.random)
        {
            self.counts.add(FaultKind::LateTimer, 1);
            end = Some(on_time.saturating_add(late));
        }
        if let Some(after) = self.faults.early_ends.draw(&mut self.random) {
            self.end_early(&mut end, now.saturating_add(after), FaultKind::EarlyEnd);
        }
        if std::mem::take(&mut self.thread(lane).is_woken_again) {
            let again = self.faults.repeated_wakes;
            let after = again.size.draw_nanos(&mut self.random);
            self.end_early(&mut end, now.saturating_add(after), FaultKind::RepeatedWake);
        }
        end
    }

    fn end_early(&mut self, end: &mut Option<u64>, early: u64, kind: FaultKind) {
        if end.is_none_or(|end| early < end) {
            *end = Some(early);
            self.counts.add(kind, 1);
        }
    }

    /// A bell has ended a wait of this thread.
    pub(super) fn rung(&mut self, lane: usize) -> Rung {
        let faults = self.faults;
        if faults.repeated_wakes.draw(&mut self.random).is_some() {
            self.thread(lane).is_woken_again = true;
        }
        let late_by = faults.late_bells.draw(&mut self.random);
        let is_unsaid = faults.unsaid_bells.draw(&mut self.random).is_some();
        self.counts
            .add(FaultKind::LateBell, u64::from(late_by.is_some()));
        self.counts.add(FaultKind::UnsaidBell, u64::from(is_unsaid));
        Rung { late_by, is_unsaid }
    }

    pub(super) fn refuses_thread(&mut self) -> bool {
        let refuses = self.faults.refused_threads.draw(&mut self.random).is_some();
        self.counts
            .add(FaultKind::RefusedThread, u64::from(refuses));
        refuses
    }
}
