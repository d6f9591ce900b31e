//! Bells, and threads, which are joined through them.

use super::super::Win32Error;
use super::fake::{VERSIONS, XP};
use super::{Bench, MILLISECOND};
use crate::os::{Os, Woken};
use crate::{Cancel, Cancelled, Instant, Sleeper};
use std::panic::{self, AssertUnwindSafe};
use std::time::Duration;

#[test]
fn a_bell_stays_rung_until_it_is_hushed() {
    let Bench { os, bell, .. } = Bench::new(XP);
    assert!(!os.is_rung(&bell));
    os.ring(&bell);
    for _ in 0..2 {
        assert!(os.is_rung(&bell));
        assert_eq!(os.wait(None, Duration::ZERO, &bell), Woken::ByBell);
    }
    os.hush(&bell);
    assert!(!os.is_rung(&bell));
}

#[test]
fn a_rung_bell_is_noticed_however_short_the_wait() {
    let bench = Bench::new(XP);
    bench.os.ring(&bench.bell);
    for ahead in [Duration::ZERO, Duration::from_micros(3), MILLISECOND] {
        assert_eq!(bench.wait(ahead, Duration::ZERO), Woken::ByBell);
        assert_eq!(bench.wait(ahead, 50 * MILLISECOND), Woken::ByBell);
    }
}

#[test]
fn a_bell_that_rings_ends_the_wait_then() {
    for version in VERSIONS {
        for tolerance in [Duration::ZERO, 50 * MILLISECOND] {
            let bench = Bench::new(version);
            let rings = bench.fake.state().now + 2_345_678;
            bench.fake.ring_at(bench.bell.event(), rings);
            assert_eq!(bench.wait(30 * MILLISECOND, tolerance), Woken::ByBell);
            assert!(bench.now().as_nanos() - rings < 10_000);
        }
    }
}

#[test]
fn a_bell_ends_a_wait_until_the_end_of_time() {
    for version in VERSIONS {
        for until in [None, Some(Instant::MAX)] {
            let bench = Bench::new(version);
            let rings = bench.fake.state().now + 2_345_678;
            bench.fake.ring_at(bench.bell.event(), rings);
            let woken = bench.os.wait(until, Duration::ZERO, &bench.bell);
            assert_eq!(woken, Woken::ByBell);
        }
    }
}

#[test]
fn cancelling_ends_a_sleep() {
    let Bench { fake, os, .. } = Bench::new(XP);
    let cancel = Cancel::on(os.clone());
    let rings = fake.state().now + 100_000_000;
    fake.ring_at(cancel.bell().event(), rings);
    let mut sleeper = Sleeper::on(os);
    let year = Duration::from_secs(365 * 24 * 3600);
    assert_eq!(sleeper.sleep_unless(year, &cancel), Err(Cancelled));
    assert!(fake.state().requests.is_empty());
}

#[test]
fn an_event_closed_by_something_else_is_a_panic_and_not_an_endless_loop() {
    let bench = Bench::new(XP);
    bench
        .fake
        .fail("wait_for_single_object", Win32Error::INVALID_HANDLE);
    bench
        .fake
        .fail("wait_for_multiple_objects", Win32Error::INVALID_HANDLE);
    let wait = AssertUnwindSafe(|| bench.wait(MILLISECOND, Duration::ZERO));
    let payload = panic::catch_unwind(wait).unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(message.contains("other code has closed"), "{message}");
    assert!(bench.fake.state().requests.is_empty());
}

#[test]
fn a_thread_is_joined_through_a_bell() {
    let Bench { fake, os, bell } = Bench::new(XP);
    let (inside, rings) = (os.clone(), bell.clone());
    let thread = os.spawn("ringer", Box::new(move || inside.ring(&rings)));
    assert!(thread.unwrap().join(&os).is_ok());
    assert!(os.is_rung(&bell));
    let thread = os.spawn("doomed", Box::new(|| panic!("on purpose")));
    assert!(thread.unwrap().join(&os).is_err());
    drop((os, bell));
    assert_eq!(fake.open_handles(), 0);
}

#[test]
fn no_thread_to_give_is_an_error() {
    let Bench { fake, os, .. } = Bench::new(XP);
    fake.fail("create_thread", Win32Error::NO_SYSTEM_RESOURCES);
    let error = os.spawn("one too many", Box::new(|| ())).err().unwrap();
    assert!(error.is_system());
    assert!(error.to_string().contains("one too many"), "{error}");
}
