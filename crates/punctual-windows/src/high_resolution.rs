//! High-resolution waitable timers (C9): interrupts of their own beside the ticks.

use super::choices::{
    HighResolutionDue, HighResolutionFirst, HighResolutionNext, HighResolutionPeriod,
};
use super::parameters::MachineParameters;
use super::rules::Rules;
use core::time::Duration;
use punctual::Instant;

/// A high-resolution waitable timer that has been set.
///
/// Interrupts look at it: ticks, and others in steps of the machine's smallest interval that come
/// before the next tick. Each looks a little after it comes, by a latency that the caller draws. What
/// such an interrupt does to the ticks is the caller's: see
/// [`HighResolutionTicks`](super::choices::HighResolutionTicks).
///
/// ```
/// use punctual::Instant;
/// use punctual_windows::{Clock, Femtos, HighResolutionTimer, MachineParameters, WINDOWS_11};
/// use std::time::Duration;
///
/// let at = |micros: u64| Instant::from_nanos(micros * 1_000);
/// let (rules, machine) = (WINDOWS_11, MachineParameters::default());
/// let clock = Clock::new(at(0), Femtos::from_nanos(15_625_000));
/// let wait = Duration::from_micros(910);
/// let due = HighResolutionTimer::due_time(&rules, clock.last_tick(at(100)), at(100), wait);
/// let mut timer = HighResolutionTimer::new(due, None);
/// let interrupt = timer.first_interrupt(&rules, &machine, (at(0), at(15_625)), at(100));
/// assert_eq!(interrupt, at(1_100), "0.91 ms take 1.0");
/// assert!(timer.look(&rules, interrupt, at(1_101)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HighResolutionTimer {
    due: Instant,
    period: Option<Duration>,
}

impl HighResolutionTimer {
    /// A timer that is first due at this instant.
    pub fn new(due: Instant, period: Option<Duration>) -> Self {
        Self { due, period }
    }

    /// When a timer that is set now is due if it is given a time relative to that.
    pub fn due_time(rules: &Rules, last_tick: Instant, now: Instant, wait: Duration) -> Instant {
        match rules.hr_due {
            HighResolutionDue::Call => now + wait,
            HighResolutionDue::Tick => last_tick + wait,
        }
    }

    /// When it is due.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Whether it is set anew whenever it was due.
    pub fn is_periodic(&self) -> bool {
        self.period.is_some()
    }

    /// The interrupt that looks at it first after it was set, which is `now`, between these two ticks.
    pub fn first_interrupt(
        &self,
        rules: &Rules,
        parameters: &MachineParameters,
        (last_tick, next_tick): (Instant, Instant),
        now: Instant,
    ) -> Instant {
        let step = parameters.smallest_interval;
        let own = match rules.hr_first {
            HighResolutionFirst::Steps => self.steps(step, now),
            HighResolutionFirst::StepsFromTick => {
                let since = nanos(now.duration_since(last_tick));
                let soonest = since / nanos(step) + 1;
                let covering = nanos(self.due.duration_since(now)).div_ceil(nanos(step));
                let after = nanos(step).saturating_mul(covering.max(soonest));
                Instant::from_nanos(last_tick.as_nanos().saturating_add(after))
            }
            HighResolutionFirst::Step => now + step,
            HighResolutionFirst::Due => self.due,
            HighResolutionFirst::Tick => next_tick,
        };
        own.min(next_tick)
    }

    /// The interrupt that looks at it next, after one has looked `now` and found it not yet due.
    pub fn next_interrupt(
        &self,
        rules: &Rules,
        parameters: &MachineParameters,
        next_tick: Instant,
        now: Instant,
    ) -> Instant {
        let step = parameters.smallest_interval;
        let is_late = self.due <= now + parameters.interrupt_work;
        let own = match rules.hr_next {
            HighResolutionNext::StepsUnlessLate if is_late => next_tick,
            HighResolutionNext::Steps | HighResolutionNext::StepsUnlessLate => {
                self.steps(step, now)
            }
            HighResolutionNext::Due => self.due,
            HighResolutionNext::Tick => next_tick,
        };
        own.min(next_tick)
    }

    /// An interrupt, which came a little before, looks at it now. Returns whether the wait is over; a
    /// periodic timer is then set anew.
    pub fn look(&mut self, rules: &Rules, interrupt: Instant, now: Instant) -> bool {
        let over = self.due <= now;
        if let (true, Some(period)) = (over, self.period) {
            self.due = match rules.hr_period {
                HighResolutionPeriod::Look => now + period,
                HighResolutionPeriod::Interrupt => interrupt + period,
                HighResolutionPeriod::Schedule => {
                    let behind = nanos(now.duration_since(self.due));
                    let periods = behind / nanos(period).max(1) + 1;
                    let passed = nanos(period).saturating_mul(periods);
                    Instant::from_nanos(self.due.as_nanos().saturating_add(passed))
                }
            };
        }
        over
    }

    /// After as many steps as cover what is left.
    fn steps(&self, step: Duration, now: Instant) -> Instant {
        let left = self.due.as_nanos().saturating_sub(now.as_nanos());
        let steps = left.div_ceil(nanos(step)).max(1);
        let after = nanos(step).saturating_mul(steps);
        Instant::from_nanos(now.as_nanos().saturating_add(after))
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
