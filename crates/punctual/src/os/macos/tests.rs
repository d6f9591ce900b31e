//! What only macOS can be asked. None of it asserts how fast.

use super::ffi::{QOS_CLASS_DEFAULT, QOS_CLASS_USER_INTERACTIVE};
use super::scheduling::{Policy, found_class, found_policy};
use crate::Native;
use crate::guard::{PriorityGuard, SliceGuard};
use crate::os::{Os, Priority, Slice, Spin, Woken};
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
fn a_high_priority_is_a_class_and_is_given_back() {
    let class = || found_class().unwrap().0;
    thread::spawn(move || {
        let guard = PriorityGuard::raise(&Native::new(), Priority::High).unwrap();
        assert_eq!(class(), QOS_CLASS_USER_INTERACTIVE);
        drop(guard);
        assert_eq!(class(), QOS_CLASS_DEFAULT);
    })
    .join()
    .unwrap();
}

#[test]
fn a_real_time_priority_is_a_time_constraint_and_is_given_back() {
    let is_constrained = || matches!(found_policy(), Ok(Policy::TimeConstraint(_)));
    thread::spawn(move || {
        assert!(!is_constrained());
        let guard = PriorityGuard::raise(&Native::new(), Priority::Realtime).unwrap();
        assert!(is_constrained());
        drop(guard);
        assert!(!is_constrained());
    })
    .join()
    .unwrap();
}

#[test]
fn a_fifo_priority_is_refused() {
    let error = PriorityGuard::raise(&Native::new(), Priority::Fifo(50)).unwrap_err();
    assert!(error.is_unsupported(), "{error}");
}

#[test]
fn a_slice_is_refused_with_what_to_use_instead() {
    let error = SliceGuard::set(&Native::new(), Slice::SHORTEST).unwrap_err();
    assert!(error.is_unsupported(), "{error}");
    assert!(error.to_string().contains("priority"), "{error}");
}
