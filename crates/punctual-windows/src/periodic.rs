//! The schedules of periodic timers (C8).

use super::choices::{Rearm, TimerQueueExtra};
use super::expiry::WaitKind;
use super::rules::Rules;
use core::time::Duration;
use punctual::Instant;

/// A timer that fires again and again, at ticks.
///
/// ```
/// use punctual::Instant;
/// use punctual_windows::{Periodic, WaitKind, WINDOWS_7};
/// use std::time::Duration;
///
/// let at = |millis: u64| Instant::from_nanos(millis * 1_000_000);
/// let period = Duration::from_millis(5);
/// let mut timer = Periodic::new(&WINDOWS_7, WaitKind::TimerQueue, at(5), period);
/// assert_eq!(timer.fire(at(16)), 3, "those of 5, 10 and 15 ms, back to back");
/// assert_eq!(timer.due(), at(20));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Periodic {
    due: Instant,
    period: Duration,
    rearm: Rearm,
}

impl Periodic {
    /// A timer that is first due at this instant.
    ///
    /// # Panics
    /// If the period is zero.
    pub fn new(rules: &Rules, kind: WaitKind, first_due: Instant, period: Duration) -> Self {
        assert!(!period.is_zero(), "a timer without a period fires once");
        Self {
            due: first_due,
            period: period + extra(rules, kind),
            rearm: rules.rearm,
        }
    }

    /// How long after one firing's time the next one's is.
    pub fn period(&self) -> Duration {
        self.period
    }

    /// When it is due next.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Fires at a tick and moves on. Returns how often it fires, back to back: never at a tick
    /// before it is due.
    pub fn fire(&mut self, tick: Instant) -> u128 {
        if tick < self.due {
            return 0;
        }
        match self.rearm {
            Rearm::FromTick => {
                self.due = tick + self.period;
                1
            }
            Rearm::Schedule => {
                let passed = tick.duration_since(self.due).as_nanos() / self.period.as_nanos();
                let firings = passed + 1;
                self.due += nanos(self.period.as_nanos() * firings);
                firings
            }
        }
    }
}

fn extra(rules: &Rules, kind: WaitKind) -> Duration {
    match (kind, rules.timer_queue_extra) {
        (WaitKind::TimerQueue, TimerQueueExtra::Millisecond) => Duration::from_millis(1),
        _ => Duration::ZERO,
    }
}

fn nanos(nanos: u128) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::versions::{WINDOWS_7, WINDOWS_XP};
    use super::*;
    use proptest::prelude::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    #[test]
    fn xp_counts_from_the_tick_and_its_timer_queue_a_millisecond_more() {
        let period = Duration::from_millis(47);
        for (kind, next) in [(WaitKind::Ordinary, 97), (WaitKind::TimerQueue, 98)] {
            let mut timer = Periodic::new(&WINDOWS_XP, kind, at(0), period);
            assert_eq!(timer.fire(at(50_000_000)), 1);
            assert_eq!(timer.due(), at(next * 1_000_000));
        }
    }

    proptest! {
        /// A schedule fires once for every period that has passed, however it is asked.
        #[test]
        fn a_schedule_loses_no_period(
            first in 0u64..1_000,
            period in 1u64..1_000,
            mut ticks in prop::collection::vec(0u64..100_000, 1..30),
        ) {
            ticks.sort_unstable();
            let length = Duration::from_nanos(period);
            let mut timer = Periodic::new(&WINDOWS_7, WaitKind::Ordinary, at(first), length);
            let mut fired = 0;
            for tick in ticks {
                fired += timer.fire(at(tick));
                let passed = tick.checked_sub(first).map_or(0, |since| since / period + 1);
                prop_assert_eq!(fired, u128::from(passed));
                prop_assert!(timer.due() > at(tick));
            }
        }
    }
}
