//! Which wait is used for what.

use super::super::waiting::SHORTEST_WAIT;
use super::super::{Win32, Win32Error};
use super::fake::{DEFAULT_INTERVAL, Fake, SEVEN, TEN_1709, TEN_1803, VERSIONS, Version, XP};
use super::{Bench, MICROSECOND, MILLISECOND};
use crate::os::{Os, Spin, Woken};
use crate::{Instant, Period, Sleeper, Ticker};
use std::time::Duration;

const EXACTLY: Duration = Duration::ZERO;
const TICK: Duration = Duration::from_nanos(DEFAULT_INTERVAL);
/// A tick of "1 ms", and what a wake-up and some calls take.
const ABOUT_A_MILLISECOND: Duration = Duration::from_micros(1_020);

#[test]
fn a_high_resolution_timer_makes_requests_unnecessary() {
    let bench = Bench::new(TEN_1803);
    for ahead in [MILLISECOND, 700 * MICROSECOND, 500 * MILLISECOND] {
        let (late, waits) = bench.sleep(ahead, EXACTLY);
        assert!(late < 520 * MICROSECOND, "{late:?}");
        assert_eq!(waits, 1);
    }
    assert_eq!(bench.fake.calls("time_begin_period"), 0);
    assert_eq!(bench.fake.calls("set_process_information"), 0);
    assert_eq!(bench.fake.calls("create_waitable_timer_w"), 0);
}

#[test]
fn a_wait_with_a_high_resolution_timer_costs_two_calls_and_looks_at_the_clock() {
    let bench = Bench::new(TEN_1803);
    bench.wait(MILLISECOND, EXACTLY);
    bench.fake.state().calls.clear();
    bench.wait(MILLISECOND, EXACTLY);
    let calls: Vec<_> = bench.fake.state().calls.clone().into_iter().collect();
    assert_eq!(
        calls,
        [
            ("query_performance_counter", 1),
            ("set_waitable_timer", 1),
            ("wait_for_multiple_objects", 1)
        ]
    );
}

#[test]
fn without_one_a_request_brings_waits_within_a_tick() {
    for version in [XP, SEVEN, TEN_1709] {
        let bench = Bench::new(version);
        for ahead in [40 * MILLISECOND, 100 * MILLISECOND, 3_600_000 * MILLISECOND] {
            let (late, _) = bench.sleep(ahead, EXACTLY);
            assert!(
                late < ABOUT_A_MILLISECOND,
                "{version:?} {ahead:?}: {late:?}"
            );
        }
    }
}

#[test]
fn what_a_coarse_due_time_left_over_ends_with_the_very_next_tick() {
    for version in [XP, SEVEN] {
        let bench = Bench::new(version);
        let _request = bench.os.request().unwrap();
        bench.fake.advance(20_000_000);
        for microseconds in (300..9_000).step_by(37) {
            let (late, waits) = bench.sleep(microseconds * MICROSECOND, EXACTLY);
            assert!(
                late < ABOUT_A_MILLISECOND,
                "{version:?} {microseconds}: {late:?}"
            );
            assert!(waits <= 2, "{version:?} {microseconds}: {waits} waits");
            bench.fake.advance(123_457);
        }
    }
}

#[test]
fn a_wait_that_ends_a_hair_early_is_not_prolonged_by_a_tick() {
    let bench = Bench::new(Version {
        ahead: 12_000,
        ..TEN_1709
    });
    let _request = bench.os.request().unwrap();
    bench.fake.advance(20_000_000);
    let until = Instant::from_nanos(bench.fake.next_tick() + 10_000);
    let woken = bench.os.wait(Some(until), EXACTLY, &bench.bell);
    assert_eq!(woken, Woken::ByTime);
    assert!(bench.os.now() < until, "it ended early");
    bench.os.wait(Some(until), EXACTLY, &bench.bell);
    let late = bench.os.now().duration_since(until);
    assert!(
        bench.os.now() >= until && late < 5 * MICROSECOND,
        "{late:?}"
    );
}

#[test]
fn the_shortest_waits_are_spun() {
    let bench = Bench::new(XP);
    let until = bench.os.now() + SHORTEST_WAIT;
    assert_eq!(
        bench.os.wait(Some(until), EXACTLY, &bench.bell),
        Woken::ByTime
    );
    assert!(bench.os.now() >= until);
    assert!(bench.requests_held().is_empty(), "the system was not asked");
}

#[test]
fn an_instant_that_has_passed_costs_no_wait() {
    let bench = Bench::new(XP);
    let woken = bench.os.wait(Some(Instant::ZERO), EXACTLY, &bench.bell);
    assert_eq!(woken, Woken::ByTime);
    assert!(bench.requests_held().is_empty());
}

#[test]
fn a_tolerance_of_a_default_interval_is_passed_on_and_needs_no_request() {
    for version in [SEVEN, TEN_1803] {
        let bench = Bench::new(version);
        let (late, _) = bench.sleep(100 * MILLISECOND, TICK + 999 * MICROSECOND);
        assert!(late <= TICK + ABOUT_A_MILLISECOND, "{late:?}");
        let delays = std::mem::take(&mut bench.fake.state().tolerable_delays);
        assert!(delays.iter().all(|delay| *delay == 16), "{delays:?}");
        assert!(!delays.is_empty());
        assert_eq!(bench.fake.calls("time_begin_period"), 0);
    }
}

#[test]
fn a_lesser_tolerance_is_passed_on_beside_a_request() {
    let bench = Bench::new(SEVEN);
    bench.wait(5 * MILLISECOND, 3 * MILLISECOND);
    assert_eq!(bench.fake.state().tolerable_delays, [3]);
    assert_eq!(bench.requests_held(), [1]);
}

#[test]
fn a_version_without_tolerable_delays_is_asked_for_the_exact_time() {
    let bench = Bench::new(XP);
    let (late, _) = bench.sleep(100 * MILLISECOND, 50 * MILLISECOND);
    assert!(late < TICK + 20 * MICROSECOND, "{late:?}");
    assert!(bench.fake.calls("set_waitable_timer_ex") > 0);
    assert_eq!(bench.fake.calls("time_begin_period"), 0);
}

/// Each call that a wait may make, failing.
#[test]
fn whatever_fails_a_wait_still_ends_and_not_early() {
    for version in VERSIONS {
        for call in [
            "create_waitable_timer_ex_w",
            "create_waitable_timer_w",
            "set_waitable_timer",
            "set_waitable_timer_ex",
            "cancel_waitable_timer",
            "wait_for_multiple_objects",
            "time_begin_period",
            "time_end_period",
            "time_get_dev_caps",
            "nt_query_timer_resolution",
            "get_process_information",
            "set_process_information",
            "close_handle",
        ] {
            let fake = Fake::new(version);
            fake.fail(call, Win32Error::NO_SYSTEM_RESOURCES);
            let bench = Bench::with(fake);
            for tolerance in [EXACTLY, 50 * MILLISECOND] {
                let (late, waits) = bench.sleep(30 * MILLISECOND, tolerance);
                assert!(late < 2 * TICK, "{version:?} {call}: {late:?}");
                assert!(waits <= 4, "{version:?} {call}: {waits} waits");
            }
        }
    }
}

#[test]
fn a_failure_that_begins_later_is_survived_too() {
    let bench = Bench::new(TEN_1803);
    bench.wait(MILLISECOND, EXACTLY);
    for call in ["set_waitable_timer", "wait_for_multiple_objects"] {
        bench.fake.fail(call, Win32Error::INVALID_PARAMETER);
        let (late, _) = bench.sleep(100 * MILLISECOND, EXACTLY);
        assert!(late < 3 * MILLISECOND, "{call}: {late:?}");
        bench.fake.state().failing.clear();
    }
}

#[test]
fn a_high_resolution_timer_that_cannot_be_set_is_not_relied_on() {
    let fake = Fake::new(TEN_1803);
    fake.fail("set_waitable_timer", Win32Error::INVALID_PARAMETER);
    let bench = Bench::with(fake);
    bench.fake.state().failing.clear();
    bench.wait(5 * MILLISECOND, EXACTLY);
    assert_eq!(bench.requests_held(), [1]);
}

#[test]
fn a_spin_ends_with_a_reading_that_is_not_early() {
    for version in VERSIONS {
        let bench = Bench::new(version);
        for nanos in [0, 1, 99, 1_001, 12_345] {
            for spin in [Spin::Pause, Spin::Yield] {
                let until = bench.now() + Duration::from_nanos(nanos);
                let reading = bench.os.spin_until(until, spin);
                assert!(reading >= until && reading <= bench.os.now());
            }
        }
    }
}

/// The median of a loop of 10 ms that works for 1.5 ms, and the longest.
fn lateness_of_a_loop(bench: &Bench) -> (Duration, Duration) {
    let sleeper = Sleeper::on(bench.os.clone()).coarse();
    let period = Period::from_hertz(100);
    // Where it starts is not for the ticker to choose: not every loop can.
    let ticks = Ticker::with_sleeper(sleeper, period).starting_at(bench.now());
    let ticks = ticks.take(601);
    let mut lateness: Vec<_> = ticks
        .map(|tick| {
            bench.fake.advance(1_500_000);
            tick.lateness()
        })
        .collect();
    lateness.sort();
    (lateness[300], lateness[600])
}

/// The numbers in the documentation of `Request`.
#[test]
fn a_loop_that_works_is_precise_under_a_request_of_its_own() {
    let bench = Bench::new(SEVEN);
    let (median, _) = lateness_of_a_loop(&bench);
    assert!(median > 6 * MILLISECOND, "{median:?}");
    let _request = bench.os.request().unwrap();
    bench.fake.advance(20_000_000);
    let (median, longest) = lateness_of_a_loop(&bench);
    assert!(median < 700 * MICROSECOND, "{median:?}");
    assert!(longest < ABOUT_A_MILLISECOND, "{longest:?}");
}

#[test]
fn it_says_which_calls_it_makes() {
    let bench = Bench::new(XP);
    assert_eq!(bench.os.win32().query_performance_frequency(), XP.frequency);
    let shown = format!("{:?}", bench.os);
    assert!(shown.contains("high_resolution: false"), "{shown}");
}
