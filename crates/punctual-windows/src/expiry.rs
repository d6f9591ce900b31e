//! Which tick may end which wait: due times (C3), classes (C5), tolerable delays (C10) and message
//! timers (C11).

use super::choices::{DueTime, GlobalKey, RequestReach, TimerQueueClass, Tolerance};
use super::clock::Clock;
use super::parameters::MachineParameters;
use super::requests::Requests;
use super::rules::Rules;
use core::time::Duration;
use punctual::Instant;

/// The shortest message timer, `USER_TIMER_MINIMUM` in the documentation of `SetTimer`.
pub const SHORTEST_MESSAGE_TIMER: Duration = Duration::from_millis(10);

/// What a tolerable delay is counted in from Windows 8 on: 2^18 units of 100 ns.
pub const TOLERANCE_STEP: Duration = Duration::from_nanos(26_214_400);

/// How a thread waits, as far as it decides about the ticks that may end the wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WaitKind {
    /// A sleep, a wait with a timeout, an ordinary waitable timer, a multimedia timer.
    Ordinary,
    /// A timer of a timer queue.
    TimerQueue,
}

/// The ticks that may end a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Every tick: the wait ends at the first that comes when it is due.
    Requesting,
    /// Those at which [all other waits](super::OtherWaits) expire together.
    Other,
}

/// When a wait that is begun now and lasts this long is due (C3).
pub fn due_time(rules: &Rules, clock: &Clock, now: Instant, wait: Duration) -> Instant {
    match rules.due_time {
        DueTime::Coarse => clock.last_tick(now) + wait,
        DueTime::Precise => now + wait,
    }
}

/// The class to which a wait of a process belongs, from its beginning to its end (C5, C7).
pub fn class(
    rules: &Rules,
    parameters: &MachineParameters,
    requests: &Requests,
    process: u32,
    kind: WaitKind,
) -> Class {
    let global = parameters.global_requests && rules.global_key == GlobalKey::Honoured;
    if rules.request_reach == RequestReach::Machine || global {
        return Class::Requesting;
    }
    let coarse = kind == WaitKind::TimerQueue && rules.timer_queue_class == TimerQueueClass::Other;
    if coarse || !requests.is_requesting(rules, process) {
        Class::Other
    } else {
        Class::Requesting
    }
}

/// The tolerable delay that counts of one that was asked for (C10).
pub fn tolerance(rules: &Rules, asked: Duration) -> Duration {
    match rules.tolerance {
        Tolerance::Absent => Duration::ZERO,
        Tolerance::Any => asked,
        Tolerance::Steps => {
            let steps = asked.as_nanos() / TOLERANCE_STEP.as_nanos();
            TOLERANCE_STEP.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX))
        }
    }
}

/// The first and the last tick at which a timer with a tolerable delay may fire (C10). They are the same
/// if the delay includes no second tick.
pub fn tolerated_ticks(clock: &Clock, due: Instant, tolerance: Duration) -> (Instant, Instant) {
    let first = clock.tick_at_or_after(due);
    let last = clock.last_tick(due + tolerance);
    (first, last.max(first))
}

/// How long a message timer that was asked for this long really waits (C11).
pub fn message_timer(asked: Duration) -> Duration {
    asked.max(SHORTEST_MESSAGE_TIMER)
}

/// When a message timer that is armed now is due (C11): so many whole milliseconds of the clock that
/// stands at the last tick, as `timeGetTime` shows it, which itself is cut off to whole milliseconds.
pub fn message_due_time(clock: &Clock, now: Instant, elapse: Duration) -> Instant {
    Instant::ZERO + Duration::from_millis(clock.time_get_time(now)) + elapse
}

#[cfg(test)]
mod tests {
    use super::super::Femtos;
    use super::super::versions::{WINDOWS_7, WINDOWS_8, WINDOWS_XP};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_coarse_wait_counts_from_the_last_tick() {
        let at = |micros: u64| Instant::from_nanos(micros * 1_000);
        let clock = Clock::new(at(0), Femtos::from_nanos(1_000_000));
        let wait = Duration::from_millis(1);
        assert_eq!(due_time(&WINDOWS_7, &clock, at(2_900), wait), at(3_000));
        let precise = Rules {
            due_time: DueTime::Precise,
            ..WINDOWS_7
        };
        assert_eq!(due_time(&precise, &clock, at(2_900), wait), at(3_900));
    }

    /// 47 ms are less than three ticks of 15.625 ms, and more than three where the clock's whole
    /// milliseconds are few: of 15, 16, 16 and 15 ms, only the first three are as many.
    #[test]
    fn a_message_timer_counts_whole_milliseconds_of_the_clock_at_the_tick() {
        let at = |micros: u64| Instant::from_nanos(micros * 1_000);
        let clock = Clock::new(at(0), Femtos::from_nanos(15_625_000));
        let due = |now| message_due_time(&clock, at(now), Duration::from_millis(47));
        assert_eq!([due(0), due(15_624)], [at(47_000); 2]);
        assert_eq!(due(15_625), at(62_000));
        let ticks = [due(0), due(15_625)].map(|due| clock.tick_at_or_after(due));
        assert_eq!(ticks, [at(62_500); 2]);
    }

    #[test]
    fn tolerance_is_none_then_free_then_in_steps() {
        let asked = Duration::from_millis(60);
        assert_eq!(tolerance(&WINDOWS_XP, asked), Duration::ZERO);
        assert_eq!(tolerance(&WINDOWS_7, asked), asked);
        assert_eq!(tolerance(&WINDOWS_8, asked), 2 * TOLERANCE_STEP);
        assert_eq!(
            tolerance(&WINDOWS_8, Duration::from_millis(26)),
            Duration::ZERO
        );
    }

    proptest! {
        #[test]
        fn tolerated_ticks_are_ticks_due_and_tolerated(
            interval in 500_000u64..16_000_000,
            due in 0u64..1_000_000_000,
            tolerance in 0u64..100_000_000,
        ) {
            let clock = Clock::new(Instant::ZERO, Femtos::from_nanos(interval));
            let (due, tolerance) = (Instant::from_nanos(due), Duration::from_nanos(tolerance));
            let (first, last) = tolerated_ticks(&clock, due, tolerance);
            prop_assert!(due <= first && first <= last);
            prop_assert!(last == first || last <= due + tolerance);
            prop_assert_eq!(last.as_nanos() % interval, 0);
        }
    }
}
