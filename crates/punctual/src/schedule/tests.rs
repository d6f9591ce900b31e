//! Schedules against the definition of their deadlines.

use super::*;
use proptest::prelude::*;

/// Fires the next tick exactly on time, and says when that was.
fn fire(schedule: &mut Schedule) -> u64 {
    let deadline = schedule.next_deadline().unwrap();
    schedule.tick(deadline).unwrap().deadline.as_nanos()
}

#[test]
fn a_billion_firings_do_not_drift() {
    // 48 kHz of 1024 samples, whose period has no end in decimals; a billion are 247 days.
    let period = Period::from_hertz_fraction(48_000, 1_024);
    let start = Instant::from_nanos(17);
    let mut schedule = Schedule::new(start, period);
    let mut fired = 0_u64;
    // Jumps with Skip count like firings: the last deadline that passed gets its tick.
    while fired < 1_000_000_000 {
        for _ in 0..1_000 {
            let exact = 17 + u128::from(fired) * 1_024_000_000_000 / 48_000;
            assert_eq!(u128::from(fire(&mut schedule)), exact);
            fired += 1;
        }
        let after_a_jump = period.deadline(start, fired + 9_999_999).unwrap();
        let tick = schedule.overdue_tick(after_a_jump).unwrap();
        assert_eq!((tick.missed, tick.deadline), (9_999_999, after_a_jump));
        fired = tick.index + 1;
    }
}

#[test]
fn lateness_never_moves_it() {
    let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000));
    for index in 0..10 {
        let late = schedule.next_deadline().unwrap() + Duration::from_micros(999);
        assert_eq!(schedule.overdue_tick(Instant::ZERO).is_some(), index == 0);
        if index > 0 {
            assert_eq!(
                schedule.tick(late).unwrap().deadline.as_nanos(),
                index * 1_000_000
            );
        }
    }
}

#[test]
fn starts_again_where_it_is_told_to_and_numbers_on() {
    let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000));
    assert_eq!((fire(&mut schedule), fire(&mut schedule)), (0, 1_000_000));
    schedule.restart(Instant::from_nanos(5));
    assert_eq!(schedule.tick(Instant::from_nanos(6)).unwrap().index, 2);
    assert_eq!(fire(&mut schedule), 1_000_005);
}

#[test]
fn ends_with_time() {
    let almost = Instant::from_nanos(u64::MAX - 1);
    let mut schedule = Schedule::new(almost, Period::from_hertz(1_000_000_000));
    assert_eq!(schedule.overdue_tick(almost).unwrap().index, 0);
    assert_eq!(schedule.next_deadline(), Some(Instant::MAX));
    assert_eq!(schedule.tick(Instant::MAX).unwrap().index, 1);
    assert_eq!(schedule.next_deadline(), None);
    assert_eq!(schedule.tick(Instant::MAX), None);
    assert_eq!(schedule.overdue_tick(Instant::MAX), None);
}

#[test]
fn a_change_of_rate_keeps_the_phase() {
    let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000));
    assert_eq!((fire(&mut schedule), fire(&mut schedule)), (0, 1_000_000));
    // A quarter of the period to 2 ms has gone by, so three quarters are left, of the new one.
    schedule.set_period(Instant::from_nanos(1_250_000), Period::from_hertz(100));
    assert_eq!(fire(&mut schedule), 1_250_000 + 7_500_000);
    assert_eq!(fire(&mut schedule), 18_750_000);
    // And back, half-way through: numbers go on.
    schedule.set_period(Instant::from_nanos(23_750_000), Period::from_hertz(1_000));
    let next = schedule.next_deadline().unwrap();
    assert_eq!(next.as_nanos(), 24_250_000);
    assert_eq!(schedule.tick(next).unwrap().index, 4);
    assert_eq!(fire(&mut schedule), 25_250_000);
}

#[test]
fn a_change_of_rate_moves_no_deadline_that_has_come() {
    let mut schedule = Schedule::new(Instant::from_nanos(10), Period::from_hertz(1_000));
    schedule.set_period(Instant::from_nanos(10), Period::from_hertz(10));
    assert_eq!(fire(&mut schedule), 10);
    assert_eq!(fire(&mut schedule), 100_000_010);
    schedule.set_period(Instant::from_nanos(300_000_000), Period::from_hertz(1));
    assert_eq!(fire(&mut schedule), 200_000_010);
    assert_eq!(fire(&mut schedule), 1_200_000_010);
}

#[test]
fn before_its_start_a_change_of_rate_moves_nothing() {
    let start = Instant::from_nanos(5_000_000_000);
    let mut schedule = Schedule::new(start, Period::from_hertz(10));
    schedule.set_period(Instant::ZERO, Period::from_hertz(1));
    assert_eq!(fire(&mut schedule), 5_000_000_000);
    assert_eq!(fire(&mut schedule), 6_000_000_000);
    schedule.restart(Instant::from_nanos(9_000_000_000));
    schedule.set_period(Instant::from_nanos(6_500_000_000), Period::from_hertz(4));
    assert_eq!(fire(&mut schedule), 9_000_000_000);
    assert_eq!(fire(&mut schedule), 9_250_000_000);
}

#[test]
fn a_burst_is_bounded_and_the_rest_is_missed() {
    let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000))
        .with_missed_ticks(MissedTicks::BurstOf(3));
    let now = Instant::from_nanos(9_500_000);
    let ticks: Vec<_> = std::iter::from_fn(|| schedule.overdue_tick(now))
        .map(|tick| (tick.index, tick.missed))
        .collect();
    assert_eq!(ticks, [(7, 7), (8, 0), (9, 0)]);
    assert_eq!(fire(&mut schedule), 10_000_000);
    // No more than that are left, so none is missed.
    let soon = Instant::from_nanos(12_000_000);
    assert_eq!(schedule.overdue_tick(soon).unwrap().index, 11);
    assert_eq!(schedule.overdue_tick(soon).unwrap().missed, 0);
}

#[test]
fn a_burst_of_one_is_a_skip() {
    let schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000));
    let now = Instant::from_nanos(9_500_000);
    let mut skips = schedule.with_missed_ticks(MissedTicks::Skip);
    for burst in [0, 1] {
        let mut bursts = schedule.with_missed_ticks(MissedTicks::BurstOf(burst));
        assert_eq!(bursts.overdue_tick(now), skips.clone().overdue_tick(now));
        assert_eq!(bursts.overdue_tick(now), None);
    }
    assert_eq!(skips.overdue_tick(now).unwrap().index, 9);
}

proptest! {
    /// What changes all the time does not drift: a thousand changes to the period it has move no
    /// deadline, but for the nanosecond that their last fraction may be next to.
    #[test]
    fn changes_lose_nothing_that_adds_up(
        nanos in 1_000_000_u64..1_000_000_000,
        denominator in 1_u64..1_000,
        parts in prop::collection::vec(0_u64..1_000, 1_000),
    ) {
        let period = Period::from_nanos_fraction(nanos, denominator);
        let mut schedule = Schedule::new(Instant::ZERO, period);
        let mut begun = fire(&mut schedule);
        for part in parts {
            let end = schedule.next_deadline().unwrap().as_nanos();
            let now = begun + (end - begun) * part / 1_000;
            schedule.set_period(Instant::from_nanos(now), period);
            begun = fire(&mut schedule);
        }
        let exact = u128::from(nanos) * 1_000 / u128::from(denominator);
        prop_assert!(u128::from(begun).abs_diff(exact) <= 1);
    }

    /// With a fraction, too, the last tick that has come is found.
    #[test]
    fn skipping_agrees_with_a_search(
        nanos in 1_u64..1_000_000,
        denominator in 1_u64..1_000,
        change in 0_u64..1_000_000,
        jump in 0_u64..10_000_000,
    ) {
        let odd = Period::from_nanos_fraction(nanos.max(denominator), denominator);
        let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz_fraction(30_000, 7));
        schedule.tick(Instant::ZERO).unwrap();
        schedule.set_period(Instant::from_nanos(change), odd);
        let now = schedule.next_deadline().unwrap() + Duration::from_nanos(jump);
        let tick = schedule.clone().overdue_tick(now).unwrap();
        prop_assert!(tick.deadline <= now);
        prop_assert_eq!(schedule.deadline(tick.index), Some(tick.deadline));
        prop_assert!(schedule.deadline(tick.index + 1).unwrap() > now);
    }
}

#[test]
fn a_tick_says_how_long_after_the_last_it_came() {
    let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000));
    let at = Instant::from_nanos;
    let intervals = [5, 1_000_100, 2_000_050].map(|woke| schedule.tick(at(woke)).unwrap().interval);
    assert_eq!(
        intervals.map(|interval| interval.as_nanos()),
        [0, 1_000_095, 999_950]
    );
    let late = schedule.overdue_tick(at(9_000_050)).unwrap();
    assert_eq!(late.interval, Duration::from_millis(7));
    schedule.restart(at(20_000_000));
    assert_eq!(
        schedule.tick(at(20_000_001)).unwrap().interval,
        Duration::ZERO
    );
}
