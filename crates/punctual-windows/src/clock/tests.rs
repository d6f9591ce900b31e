//! The schedule against one that is walked tick by tick.

use super::super::versions::{WINDOWS_7, WINDOWS_10_1909, WINDOWS_XP};
use super::*;
use proptest::prelude::*;

fn millis(text: &str) -> Duration {
    super::super::quantity::parse_duration(text).unwrap()
}

fn interval_of(rules: &Rules, request: &str) -> u128 {
    tick_interval(rules, &MachineParameters::default(), Some(millis(request))).get()
}

#[test]
fn xp_ticks_at_powers_of_two() {
    for (request, expected) in [
        ("1ms", 976_562_500_000),
        ("0.5ms", 976_562_500_000),
        ("1.96ms", 1_953_125_000_000),
        ("10ms", 7_812_500_000_000),
        ("15ms", 7_812_500_000_000),
        ("15.625ms", 15_625_000_000_000),
        ("20ms", 15_625_000_000_000),
    ] {
        assert_eq!(interval_of(&WINDOWS_XP, request), expected, "{request}");
    }
}

#[test]
fn windows_7_ticks_as_asked() {
    assert_eq!(interval_of(&WINDOWS_7, "1ms"), 1_000_000_000_000);
    assert_eq!(interval_of(&WINDOWS_7, "0.1ms"), 500_000_000_000);
    let hair = "overshoot=100ns".parse().unwrap();
    let raised = tick_interval(&WINDOWS_7, &hair, Some(millis("1ms")));
    assert_eq!(raised, Femtos::from_nanos(1_000_100));
    let idle = tick_interval(&WINDOWS_7, &hair, None);
    assert_eq!(idle, Femtos::from_nanos(15_625_000));
}

#[test]
fn windows_10_ticks_a_hair_sooner_than_asked() {
    assert_eq!(interval_of(&WINDOWS_10_1909, "1ms"), 999_680_000_000);
    assert_eq!(interval_of(&WINDOWS_10_1909, "0.5ms"), 499_200_000_000);
    // Unasked, and asked for no less, it keeps the interval it started with, whole quanta or not.
    let idle = tick_interval(&WINDOWS_10_1909, &MachineParameters::default(), None);
    assert_eq!(idle, Femtos::from_nanos(15_625_000));
    assert_eq!(interval_of(&WINDOWS_10_1909, "20ms"), idle.get());
}

#[test]
fn a_change_taken_back_before_the_next_tick_is_none() {
    let clock = Clock::new(Instant::ZERO, Femtos::from_nanos(15_000));
    let mut toggled = clock;
    toggled.set_interval(Instant::from_nanos(16_000), Femtos::from_nanos(1_000));
    toggled.set_interval(Instant::from_nanos(17_000), Femtos::from_nanos(15_000));
    assert_eq!(toggled, clock);
}

#[test]
fn coarse_clocks_stand_still_between_ticks() {
    let parameters = MachineParameters::default();
    let at = |micros: u64| Instant::from_nanos(micros * 1_000);
    let clock = Clock::new(Instant::ZERO, Femtos::from_nanos(2_000_000));
    assert_eq!(clock.time_get_time(at(33_999)), 32);
    assert_eq!(clock.time_get_time(at(34_000)), 34);
    assert_eq!(clock.tick_count(at(31_999), &parameters), 15);
    assert_eq!(clock.tick_count(at(32_000), &parameters), 31);
    assert_eq!(clock.tick_count(at(46_000), &parameters), 31);
}

/// A femtosecond's share of a nanosecond is never lost, however many ticks there are.
#[test]
fn nothing_accumulates() {
    let clock = Clock::new(Instant::ZERO, Femtos::new(976_562_500_000));
    let a_year = Duration::from_secs(365 * 24 * 3600);
    let end = Instant::ZERO + a_year;
    assert_eq!(clock.tick_at_or_after(end), end, "1024 ticks are a second");
}

/// Ticks one by one, with the changes asked for in the meantime.
fn walk(first: u64, interval: u128, changes: &[(u64, u128)], until: u64) -> Vec<Femtos> {
    let (mut tick, mut interval) = (Femtos::from_nanos(first), interval);
    let mut changes = changes.iter().peekable();
    let mut ticks = vec![tick];
    while tick <= Femtos::from_nanos(until) {
        tick = tick + Femtos::new(interval);
        ticks.push(tick);
        while let Some((_, changed)) =
            changes.next_if(|change| Femtos::end_of(Instant::from_nanos(change.0)) < tick)
        {
            interval = *changed;
        }
    }
    ticks
}

proptest! {
    #[test]
    fn agrees_with_ticks_walked_one_by_one(
        first in 0u64..1_000,
        interval in 1_000_000u128..9_000_000,
        mut changes in prop::collection::vec((1_000u64..1_200, 1_000_000u128..9_000_000), 0..6),
        ask in prop::collection::vec(0u64..100, 1..20),
    ) {
        changes.sort_unstable();
        let mut clock = Clock::new(Instant::from_nanos(first), Femtos::new(interval));
        for (at, interval) in &changes {
            clock.set_interval(Instant::from_nanos(*at), Femtos::new(*interval));
        }
        let last_change = changes.last().map_or(first, |change| change.0);
        let ticks = walk(first, interval, &changes, last_change + 200);
        for time in ask.into_iter().map(|after| Instant::from_nanos(last_change + after)) {
            let at_or_after = ticks.iter().map(|tick| tick.instant()).find(|tick| *tick >= time);
            prop_assert_eq!(Some(clock.tick_at_or_after(time)), at_or_after);
            let after = ticks.iter().map(|tick| tick.instant()).find(|tick| *tick > time);
            prop_assert_eq!(Some(clock.tick_after(time)), after);
            let last = ticks.iter().map(|tick| tick.instant()).rfind(|tick| *tick <= time);
            prop_assert_eq!(Some(clock.last_tick(time)), last.or(Some(ticks[0].instant())));
        }
    }
}
