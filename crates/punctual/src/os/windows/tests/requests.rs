//! Requests and throttling: held while they are needed, and undone however that ends.

use super::super::{PowerThrottling, Win32Error};
use super::fake::{ELEVEN_OF_TICKS, Fake, SEVEN, TEN_1709, TEN_1803, Version, XP};
use super::{Bench, MILLISECOND, WindowsOs};
use crate::os::Woken;
use crate::{Margin, Sleeper};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const EXACTLY: Duration = Duration::ZERO;

#[test]
fn a_request_lasts_exactly_as_long_as_a_precise_wait() {
    for version in [XP, SEVEN, TEN_1709] {
        let bench = Bench::new(version);
        for _ in 0..5 {
            bench.sleep(20 * MILLISECOND, EXACTLY);
            assert!(bench.fake.state().requests.is_empty());
        }
        let held = bench.requests_held();
        assert!(held.iter().all(|requests| *requests == 1), "{held:?}");
        assert_eq!(
            bench.fake.calls("time_begin_period"),
            bench.fake.calls("time_end_period")
        );
    }
}

#[test]
fn a_long_wait_makes_its_request_for_the_end_only() {
    for milliseconds in [50, 3_600_000] {
        let bench = Bench::new(SEVEN);
        bench.sleep(milliseconds * MILLISECOND, EXACTLY);
        let held = bench.requests_held();
        assert_eq!(held.first(), Some(&0));
        assert_eq!(held.last(), Some(&1));
        assert!(held.len() <= 5, "{held:?}");
    }
}

#[test]
fn a_tolerant_wait_makes_none() {
    let bench = Bench::new(SEVEN);
    bench.sleep(20 * MILLISECOND, 16 * MILLISECOND);
    assert!(bench.requests_held().iter().all(|requests| *requests == 0));
}

#[test]
fn the_bell_ends_the_request_with_the_wait() {
    let bench = Bench::new(SEVEN);
    let rings = bench.fake.state().now + 3_000_000;
    bench.fake.ring_at(bench.bell.event(), rings);
    assert_eq!(bench.wait(20 * MILLISECOND, EXACTLY), Woken::ByBell);
    assert_eq!(bench.requests_held(), [1]);
    assert!(bench.fake.state().requests.is_empty());
}

#[test]
fn so_does_a_panic() {
    let bench = Bench::new(ELEVEN_OF_TICKS);
    bench.fake.state().panics_in_wait = true;
    let wait = AssertUnwindSafe(|| bench.wait(20 * MILLISECOND, EXACTLY));
    assert!(panic::catch_unwind(wait).is_err());
    assert_eq!(bench.requests_held(), [1]);
    assert!(bench.fake.state().requests.is_empty());
    assert_eq!(
        Ok(bench.fake.state().throttling),
        ELEVEN_OF_TICKS.throttling
    );
    bench.fake.state().panics_in_wait = false;
    bench.sleep(20 * MILLISECOND, EXACTLY);
}

#[test]
fn a_request_of_ones_own_outlives_the_machine_it_was_made_on() {
    let Bench { fake, os, .. } = Bench::new(SEVEN);
    let request = os.request().unwrap();
    drop(os);
    assert_eq!(fake.state().requests, [1]);
    drop(request);
    assert!(fake.state().requests.is_empty());
    assert_eq!(fake.open_handles(), 0);
}

#[test]
fn a_refused_request_is_an_error_and_leaves_nothing() {
    let bench = Bench::new(ELEVEN_OF_TICKS);
    bench.fake.fail("time_begin_period", Win32Error::NO_CAN_DO);
    let error = bench.os.request().unwrap_err();
    assert!(error.is_system());
    assert!(error.to_string().contains("97"), "{error}");
    assert_eq!(
        Ok(bench.fake.state().throttling),
        ELEVEN_OF_TICKS.throttling
    );
    assert_eq!(bench.fake.calls("time_end_period"), 0);
}

#[test]
fn while_a_request_is_held_the_process_opts_out_of_throttling() {
    let bench = Bench::new(ELEVEN_OF_TICKS);
    bench.wait(20 * MILLISECOND, EXACTLY);
    let honoured = PowerThrottling {
        control_mask: 1 | PowerThrottling::IGNORE_TIMER_RESOLUTION,
        state_mask: 1,
    };
    assert_eq!(bench.fake.state().waits, [(1, honoured)]);
    assert_eq!(
        Ok(bench.fake.state().throttling),
        ELEVEN_OF_TICKS.throttling
    );
}

#[test]
fn the_last_holder_puts_throttling_back() {
    let bench = Bench::new(ELEVEN_OF_TICKS);
    let (first, second) = (bench.os.request().unwrap(), bench.os.request().unwrap());
    drop(first);
    assert_ne!(
        Ok(bench.fake.state().throttling),
        ELEVEN_OF_TICKS.throttling
    );
    drop(second);
    assert_eq!(
        Ok(bench.fake.state().throttling),
        ELEVEN_OF_TICKS.throttling
    );
}

#[test]
fn a_process_that_has_opted_out_itself_is_left_alone() {
    let honoured = PowerThrottling::default().honouring_requests();
    let bench = Bench::new(Version {
        throttling: Ok(honoured),
        ..ELEVEN_OF_TICKS
    });
    bench.wait(20 * MILLISECOND, EXACTLY);
    assert_eq!(bench.fake.calls("set_process_information"), 0);
}

#[test]
fn a_process_whose_requests_are_ignored_by_its_own_wish_gets_that_back() {
    let bit = PowerThrottling::IGNORE_TIMER_RESOLUTION;
    let ignored = PowerThrottling {
        control_mask: bit,
        state_mask: bit,
    };
    let bench = Bench::new(Version {
        throttling: Ok(ignored),
        ..ELEVEN_OF_TICKS
    });
    bench.wait(20 * MILLISECOND, EXACTLY);
    let honoured = PowerThrottling {
        control_mask: bit,
        state_mask: 0,
    };
    assert_eq!(bench.fake.state().waits, [(1, honoured)]);
    assert_eq!(bench.fake.state().throttling, ignored);
}

#[test]
fn a_version_that_refuses_to_opt_out_is_asked_once() {
    for version in [XP, TEN_1709] {
        let bench = Bench::new(version);
        for _ in 0..5 {
            bench.sleep(20 * MILLISECOND, EXACTLY);
        }
        assert_eq!(bench.fake.calls("set_process_information"), 1);
        assert!(bench.fake.calls("time_begin_period") >= 5);
    }
}

#[test]
fn a_setting_that_can_be_written_but_not_read_is_the_systems_again_after() {
    let fake = Fake::new(ELEVEN_OF_TICKS);
    fake.fail("get_process_information", Win32Error::INVALID_PARAMETER);
    let bench = Bench::with(fake);
    drop(bench.os.request());
    assert_eq!(bench.fake.state().throttling, PowerThrottling::default());
}

/// A request that is made while the last one before it is being undone.
#[test]
fn a_rival_is_not_left_throttled() {
    let Bench { fake, os, .. } = Bench::new(ELEVEN_OF_TICKS);
    let rivals = Arc::new(Mutex::new(None));
    let request = os.request().unwrap();
    let honoured = fake.state().throttling;
    let (keeps, rival) = (Arc::clone(&rivals), os.clone());
    fake.state().rival = Some(Box::new(move || {
        *keeps.lock().unwrap() = rival.request().ok();
    }));
    drop(request);
    assert_eq!(fake.state().throttling, honoured);
    drop(rivals.lock().unwrap().take());
    assert_eq!(Ok(fake.state().throttling), ELEVEN_OF_TICKS.throttling);
}

/// Real threads, in whatever order they come: only the end is asserted.
#[test]
fn requests_of_many_threads_cancel_out() {
    let bench = Bench::new(ELEVEN_OF_TICKS);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    drop(bench.os.request());
                }
            });
        }
    });
    assert!(bench.fake.state().requests.is_empty());
    assert_eq!(
        Ok(bench.fake.state().throttling),
        ELEVEN_OF_TICKS.throttling
    );
}

/// What is requested after each of these waits of one sleeper, and when it is gone.
fn held_after(
    version: Version,
    sleeper: fn(Bench) -> Sleeper<WindowsOs<Fake>>,
    waits: [u32; 4],
) -> [usize; 5] {
    let bench = Bench::new(version);
    let fake = bench.fake.clone();
    let mut sleeper = sleeper(bench);
    let held = || fake.state().requests.len();
    let [a, b, c, d] = waits.map(|milliseconds| {
        sleeper.sleep(milliseconds * MILLISECOND);
        held()
    });
    drop(sleeper);
    [a, b, c, d, held()]
}

#[test]
fn a_sleeper_keeps_one_request_between_its_short_waits() {
    let precise = |bench: Bench| Sleeper::on(bench.os);
    for version in [XP, SEVEN, TEN_1709] {
        // Two default intervals are 31.25 ms.
        let held = held_after(version, precise, [1, 1, 31, 2]);
        assert_eq!(held, [1, 1, 1, 1, 0]);
        assert_eq!(
            held_after(version, precise, [1, 50, 50, 1]),
            [1, 0, 0, 1, 0]
        );
        let coarse = |bench: Bench| Sleeper::on(bench.os).coarse();
        assert_eq!(held_after(version, coarse, [1, 1, 1, 1]), [0; 5]);
        let fixed =
            |bench: Bench| Sleeper::on(bench.os).with_margin(Margin::fixed(MILLISECOND / 10));
        assert_eq!(held_after(version, fixed, [1, 1, 1, 1]), [1, 1, 1, 1, 0]);
    }
    assert_eq!(held_after(TEN_1803, precise, [1, 1, 1, 1]), [0; 5]);
}

#[test]
fn a_sleeper_that_pauses_requests_nothing_until_its_next_wait() {
    let Bench { fake, os, .. } = Bench::new(ELEVEN_OF_TICKS);
    let mut sleeper = Sleeper::on(os);
    for _ in 0..2 {
        sleeper.sleep(MILLISECOND);
        assert_eq!(fake.state().requests.len(), 1);
        sleeper.pause();
        assert!(fake.state().requests.is_empty());
        assert_eq!(Ok(fake.state().throttling), ELEVEN_OF_TICKS.throttling);
    }
}

#[test]
fn a_sleeper_that_is_refused_sleeps_all_the_same() {
    let bench = Bench::new(SEVEN);
    bench.fake.fail("time_begin_period", Win32Error::NO_CAN_DO);
    let wake = Sleeper::on(bench.os).sleep(5 * MILLISECOND);
    assert!(wake.woke >= wake.deadline);
}
