//! What only macOS can be asked. None of it asserts how fast.

use crate::Native;
use crate::guard::PriorityGuard;
use crate::os::{Os, Priority, Spin, Woken};
use crate::{Instant, Sleeper};
use std::thread;
use std::time::Duration;

#[test]
fn sleeps_are_not_early() {
    let os = Native::new();
    for millis in [0, 1, 3] {
        let deadline = os.now() + Duration::from_millis(millis);
        assert!(Sleeper::on(os.clone()).sleep_until(deadline).woke >= deadline);
    }
}

#[test]
fn a_wait_is_ended_by_the_bell_however_far_the_instant() {
    let os = Native::new();
    for until in [None, Some(Instant::MAX)] {
        let bell = os.bell();
        let (rings, theirs) = (bell.clone(), os.clone());
        let ringer = thread::spawn(move || theirs.ring(&rings));
        while !os.is_rung(&bell) {
            os.wait(until, Duration::ZERO, &bell);
        }
        ringer.join().unwrap();
        assert_eq!(os.wait(until, Duration::ZERO, &bell), Woken::ByBell);
    }
}

#[test]
fn the_spin_returns_a_reading_that_is_not_early() {
    let os = Native::new();
    for ahead in [0, 1, 500, 5_000] {
        let until = os.now() + Duration::from_nanos(ahead);
        for spin in [Spin::Pause, Spin::Yield] {
            assert!(os.spin_until(until, spin) >= until);
        }
    }
}

#[test]
fn priorities_are_raised_and_given_back_without_a_privilege() {
    let os = Native::new();
    for priority in [Priority::High, Priority::Realtime] {
        drop(PriorityGuard::raise(&os, priority).unwrap());
    }
    let error = PriorityGuard::raise(&os, Priority::Fifo(50)).unwrap_err();
    assert!(error.is_unsupported(), "{error}");
}
