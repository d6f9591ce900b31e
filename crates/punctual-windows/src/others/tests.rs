//! The class against its rule, applied tick by tick.

use super::*;
use proptest::prelude::*;

const MICRO: u64 = 1_000;

fn rhythm(idle_expiry: IdleExpiry) -> Rhythm {
    Rhythm {
        default_interval: Duration::from_micros(15_625),
        smallest_interval: Duration::from_micros(500),
        idle_expiry,
    }
}

fn at(micros: u64) -> Instant {
    Instant::from_nanos(micros * MICRO)
}

fn every(micros: u64) -> Clock {
    Clock::new(Instant::ZERO, Femtos::from_nanos(micros * MICRO))
}

#[test]
fn a_member_due_just_after_an_expiry_forces_the_next_one_tick_early() {
    let clock = every(8_000);
    let class = OtherWaits::new(rhythm(IdleExpiry::FreeRun), &clock, at(0));
    assert_eq!(class.next_expiry(&clock, at(374)), at(8_000));
    assert_eq!(class.next_expiry(&clock, at(376)), at(16_000));
}

/// The one experiment that tells the values of the switch apart.
#[test]
fn sleep_20_under_a_request_for_1_is_32_or_21() {
    let clock = every(1_000);
    for (idle_expiry, woke) in [(IdleExpiry::FreeRun, 32), (IdleExpiry::Hold, 20)] {
        let class = OtherWaits::new(rhythm(idle_expiry), &clock, at(0));
        assert_eq!(class.next_expiry(&clock, at(20_000)), at(woke * 1_000));
    }
    // A hair below 1 ms, as on Windows 10, the held class needs a tick more.
    let clock = Clock::new(Instant::ZERO, Femtos::from_nanos(999_680));
    let class = OtherWaits::new(rhythm(IdleExpiry::Hold), &clock, at(0));
    assert_eq!(
        class.next_expiry(&clock, at(20_000)),
        Instant::from_nanos(21 * 999_680)
    );
}

#[test]
fn a_change_at_the_very_tick_does_not_swallow_its_expiry() {
    let clock = every(8_000);
    let mut class = OtherWaits::new(rhythm(IdleExpiry::FreeRun), &clock, at(0));
    let due = at(1_000);
    assert_eq!(class.next_expiry(&clock, due), at(16_000));
    class.set_rhythm(&clock, at(16_000), class.rhythm);
    assert_eq!(class.next_expiry(&clock, due), at(16_000));
}

/// What the class would have done had it looked at every tick.
fn walk(class: &OtherWaits, clock: &Clock, due: Instant) -> Instant {
    let rhythm = class.rhythm;
    let (mut last, due) = (class.last_expiry, Femtos::from(due));
    let mut tick = last;
    loop {
        tick = clock.exact_tick_at_or_after(tick + Femtos::ONE);
        let next = clock.exact_tick_at_or_after(tick + Femtos::ONE);
        let is_due = tick >= due;
        let spaced = tick.saturating_sub(last) >= rhythm.least_spacing();
        let tardy = is_due && next > due + rhythm.default_interval.into();
        if is_due && (spaced || tardy) {
            return tick.instant();
        }
        if spaced && rhythm.idle_expiry == IdleExpiry::FreeRun {
            last = tick;
        }
    }
}

proptest! {
    #[test]
    fn agrees_with_looking_at_every_tick(
        hold: bool,
        before in 500u64..15_626,
        after in 500u64..15_626,
        change in 0u64..100_000,
        due in 1u64..300_000,
    ) {
        let idle_expiry = if hold { IdleExpiry::Hold } else { IdleExpiry::FreeRun };
        let mut clock = every(before);
        let mut class = OtherWaits::new(rhythm(idle_expiry), &clock, at(0));
        class.set_rhythm(&clock, at(change), class.rhythm);
        prop_assert!(class.last_expiry() <= at(change));
        clock.set_interval(at(change), Femtos::from_nanos(after * MICRO));
        let due = at(change + due);
        let expiry = class.next_expiry(&clock, due);
        prop_assert_eq!(expiry, walk(&class, &clock, due));
        // Bringing the record up to date at any time forgets nothing and invents nothing.
        let mut recorded = class;
        let between = due.duration_since(at(change)) / 2;
        recorded.set_rhythm(&clock, at(change) + between, class.rhythm);
        prop_assert_eq!(recorded.next_expiry(&clock, due), expiry);
    }
}
