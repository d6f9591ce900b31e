//! High-resolution timers that are set: interrupts of their own look at each until it is due (C9).

use punctual::Instant;
use punctual_sim::random::Random;
use punctual_windows::choices::HighResolutionTicks;
use punctual_windows::{HighResolutionTimer, TimerInterrupt};
use std::time::Duration;

/// A timer, and what happens to it next.
#[derive(Debug, Clone)]
pub(super) struct OneShot {
    timer: HighResolutionTimer,
    interrupt: Instant,
    /// When that interrupt, which has come, looks at it.
    looks: Option<Instant>,
    /// Each timer draws from a stream of its own, so that looking ahead changes nothing.
    latencies: Random,
    end_alone: Instant,
}

/// More than any timer is looked at: those of long waits leave out the ticks between.
const MOST_STEPS: usize = 1_000;

/// The purpose of the streams of latencies, apart from the simulated machines' own.
const LATENCIES: u64 = 3 << 32;

impl OneShot {
    pub(super) fn new(
        timer: HighResolutionTimer,
        machine: &TimerInterrupt,
        now: Instant,
        seed: u64,
        number: u64,
    ) -> Self {
        let clock = machine.clock();
        let ticks = (clock.last_tick(now), clock.tick_after(now));
        let (rules, parameters) = (machine.rules(), machine.parameters());
        let mut one_shot = Self {
            timer,
            interrupt: timer.first_interrupt(rules, parameters, ticks, now),
            looks: None,
            latencies: Random::stream(seed, LATENCIES.wrapping_add(number)),
            end_alone: timer.due(),
        };
        let (mut alone, mut machine) = (one_shot.clone(), machine.clone());
        for _ in 0..MOST_STEPS {
            let at = alone.next();
            if alone.step(&mut machine) {
                one_shot.end_alone = at;
                break;
            }
        }
        one_shot
    }

    /// When it is over if no other such timer moves the ticks.
    pub(super) fn end_alone(&self) -> Instant {
        self.end_alone
    }

    /// When something happens to it.
    pub(super) fn next(&self) -> Instant {
        self.looks.unwrap_or(self.interrupt)
    }

    /// It happens. Returns whether the timer is over; if not, there is a next time.
    pub(super) fn step(&mut self, machine: &mut TimerInterrupt) -> bool {
        let Some(looks) = self.looks.take() else {
            self.interrupted(machine);
            return false;
        };
        let rules = *machine.rules();
        if self.timer.look(&rules, self.interrupt, looks) {
            return true;
        }
        let next_tick = machine.clock().tick_after(looks);
        let next = self
            .timer
            .next_interrupt(&rules, machine.parameters(), next_tick, looks);
        // While only ticks look at it, none before the last ones finds it due.
        let due = self.timer.due();
        let interval = machine
            .clock()
            .tick_after(next_tick)
            .duration_since(next_tick);
        let before = due
            .checked_sub(interval)
            .map(|time| machine.clock().last_tick(time));
        self.interrupt = match before {
            Some(before) if next == next_tick && before > next => before,
            _ => next,
        };
        false
    }

    /// Its interrupt comes: it is a tick, and looks at the timer a little later.
    fn interrupted(&mut self, machine: &mut TimerInterrupt) {
        let restarts = machine.rules().hr_ticks == HighResolutionTicks::Restarted;
        if restarts && machine.clock().last_tick(self.interrupt) != self.interrupt {
            machine.restart_ticks(self.interrupt);
        }
        let mean = machine.parameters().interrupt_latency;
        let mean = u64::try_from(mean.as_nanos()).unwrap_or(u64::MAX);
        let latency = Duration::from_nanos(self.latencies.exponential(mean));
        self.looks = Some(self.interrupt + latency);
    }
}
