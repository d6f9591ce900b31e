//! High-resolution waitable timers (C9): one-shot interrupts between the periodic ones.

use super::parameters::MachineParameters;
use crate::random::nanos;
use punctual::Instant;
use std::time::Duration;

/// A high-resolution waitable timer that has been set.
///
/// One-shot interrupts serve it, in steps of the machine's smallest interval. If an interrupt would come
/// after the next tick, the tick checks the timer instead. The check comes a little after its interrupt,
/// by a latency that the caller draws. A period counts from the check.
///
/// ```
/// use punctual::Instant;
/// use punctual_sim::windows::{Clock, Femtos, HighResolutionTimer, MachineParameters};
/// use std::time::Duration;
///
/// let at = |micros: u64| Instant::from_nanos(micros * 1_000);
/// let machine = MachineParameters::default();
/// let clock = Clock::new(at(0), Femtos::from_nanos(15_625_000));
/// let mut timer = HighResolutionTimer::new(at(100) + Duration::from_micros(910), None);
/// let interrupt = timer.next_interrupt(&machine, clock.tick_after(at(100)), at(100));
/// assert_eq!(interrupt, at(1_100), "0.91 ms take 1.0");
/// assert!(timer.look(interrupt));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HighResolutionTimer {
    due: Instant,
    period: Option<Duration>,
}

impl HighResolutionTimer {
    /// A timer that is first due at this instant. Relative due times count from the call itself.
    pub fn new(due: Instant, period: Option<Duration>) -> Self {
        Self { due, period }
    }

    /// When it is due.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Whether it is set anew whenever it was due.
    pub fn is_periodic(&self) -> bool {
        self.period.is_some()
    }

    /// The interrupt that looks at it next, after it was set or last looked at, which is `now`.
    /// `next_tick` is the first tick after that.
    pub fn next_interrupt(
        &self,
        parameters: &MachineParameters,
        next_tick: Instant,
        now: Instant,
    ) -> Instant {
        let step = nanos(parameters.smallest_interval);
        let left = self.due.as_nanos().saturating_sub(now.as_nanos());
        let steps = left.div_ceil(step).max(1);
        let one_shot = now.as_nanos().saturating_add(step.saturating_mul(steps));
        Instant::from_nanos(one_shot).min(next_tick)
    }

    /// An interrupt looks at it, at this instant. Returns whether the wait is over; a periodic
    /// timer is then set anew.
    pub fn look(&mut self, now: Instant) -> bool {
        let over = self.due <= now;
        if let (true, Some(period)) = (over, self.period) {
            self.due = now + period;
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Clock, Femtos};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ends_within_a_step_of_its_due_time_and_the_tick_before_it(
            interval in 500u64..16_000,
            begin in 0u64..100_000,
            wait in 1u64..50_000,
        ) {
            let at = |micros: u64| Instant::from_nanos(micros * 1_000);
            let machine = MachineParameters::default();
            let clock = Clock::new(Instant::ZERO, Femtos::from_nanos(interval * 1_000));
            let mut timer = HighResolutionTimer::new(at(begin + wait), None);
            let mut now = at(begin);
            loop {
                let interrupt = timer.next_interrupt(&machine, clock.tick_after(now), now);
                prop_assert!(interrupt > now);
                now = interrupt;
                if timer.look(now) {
                    break;
                }
            }
            prop_assert!(now.duration_since(timer.due()) < machine.smallest_interval);
        }
    }
}
