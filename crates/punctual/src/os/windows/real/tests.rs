//! What only Windows itself can be asked. None of it asserts how fast. What the calls mean is held
//! by the conformance tests of `punctual-sim`, which real and simulated Windows share.

use super::module::Module;
use super::procedures::Procedures;
use super::{System, wide};
use crate::guard::{PinGuard, PriorityGuard};
use crate::os::native::windows::{Win32, Win32Error};
use crate::os::{Os, Priority, Spin, Woken};
use crate::{Instant, Native, Sleeper};
use std::thread;
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

/// They are undocumented, and every version so far has them.
#[test]
fn functions_without_a_page_are_found() {
    assert!(Procedures::find().query_timer_resolution.is_some());
}

#[test]
fn the_multimedia_class_scheduler_is_found() {
    assert!(Procedures::find().multimedia_class().is_ok());
}

#[test]
fn a_library_that_is_missing_is_answered_as_windows_does() {
    let missing = Module::load(c"punctual has no such library.dll");
    assert_eq!(missing.err(), Some(Win32Error::MOD_NOT_FOUND));
}

#[test]
fn texts_end_with_a_zero() {
    assert_eq!(wide("Pü"), [0x50, 0xFC, 0]);
}

#[test]
fn threads_have_numbers_of_their_own() {
    let os = System::detect().unwrap();
    let (ours, our_lane) = (os.thread_id(), os.lane());
    assert_eq!((os.thread_id(), os.lane()), (ours, our_lane));
    let other = thread::spawn(move || (os.thread_id(), os.lane()));
    let (theirs, their_lane) = other.join().unwrap();
    assert!(theirs != ours && their_lane != our_lane);
}

#[test]
fn a_spin_is_not_early() {
    let os = System::detect().unwrap();
    for spin in [Spin::Pause, Spin::Yield] {
        let until = os.now() + Duration::from_micros(50);
        assert!(os.spin_until(until, spin) >= until);
    }
}

#[test]
fn what_only_windows_has_can_be_had_without_its_seam() {
    let os = Native::new();
    drop(os.request_resolution().unwrap());
    match os.multimedia_task("Pro Audio") {
        Ok(guard) => drop(guard),
        Err(error) => assert!(error.is_system(), "{error}"),
    }
}

/// In every way there is: spun, with a timer of its own, with a plain one and a request, and with
/// a plain one that may be late.
#[test]
fn no_sleep_is_early() {
    let os = System::detect().unwrap();
    let bell = os.bell();
    let waits = [
        (Duration::from_nanos(1), Duration::ZERO),
        (MILLISECOND, Duration::ZERO),
        (40 * MILLISECOND, Duration::ZERO),
        (40 * MILLISECOND, 100 * MILLISECOND),
    ];
    for (ahead, tolerance) in waits {
        let until = os.now() + ahead;
        while os.now() < until {
            assert_eq!(os.wait(Some(until), tolerance, &bell), Woken::ByTime);
        }
    }
    let mut sleeper = Sleeper::on(os.clone());
    for _ in 0..5 {
        let deadline = os.now() + 2 * MILLISECOND;
        assert!(sleeper.sleep_until(deadline).woke >= deadline);
    }
}

#[test]
fn a_bell_ends_waits_however_far_their_instant() {
    let os = System::detect().unwrap();
    for until in [None, Some(Instant::MAX)] {
        let bell = os.bell();
        let (rings, theirs) = (bell.clone(), os.clone());
        let ringer = thread::spawn(move || theirs.ring(&rings));
        while !os.is_rung(&bell) {
            os.wait(until, Duration::ZERO, &bell);
        }
        ringer.join().unwrap();
        assert_eq!(os.wait(until, Duration::ZERO, &bell), Woken::ByBell);
        os.hush(&bell);
        assert!(!os.is_rung(&bell));
    }
}

#[test]
fn threads_are_joined_and_their_panics_kept() {
    let os = System::detect().unwrap();
    let fine = os.spawn("fine", Box::new(|| {})).unwrap();
    fine.join(&os).unwrap();
    let broken = os
        .spawn("broken", Box::new(|| panic!("as wanted")))
        .unwrap();
    let panicked = broken.join(&os).unwrap_err();
    assert!(panicked.to_string().contains("as wanted"));
}

#[test]
fn requests_are_counted() {
    let os = System::detect().unwrap();
    let (first, second) = (os.request().unwrap(), os.request().unwrap());
    drop(first);
    let found = os.win32().nt_query_timer_resolution().unwrap();
    assert!(found.current_time <= found.maximum_time);
    drop(second);
}

#[test]
fn scheduling_is_given_back() {
    let os = System::detect().unwrap();
    let win32 = os.win32();
    let priority = || win32.get_thread_priority();
    let found = priority().unwrap();
    for raised in [Priority::High, Priority::Realtime] {
        let guard = PriorityGuard::raise(&os, raised).unwrap();
        assert!(priority().unwrap() > found);
        drop(guard);
        assert_eq!(priority(), Ok(found));
    }
    let masks = win32.get_process_affinity_mask();
    let processor = masks.unwrap().process.trailing_zeros() as usize;
    drop(PinGuard::pin(&os, processor).unwrap());
    let refusal = PinGuard::pin(&os, usize::MAX).unwrap_err();
    assert!(refusal.is_invalid_input(), "{refusal}");
}

#[test]
fn a_multimedia_task_begins_and_ends() {
    let os = System::detect().unwrap();
    for _ in 0..2 {
        // A Windows whose audio service is off refuses, and says so.
        match os.multimedia_task("Pro Audio") {
            Ok(guard) => drop(guard),
            Err(error) => assert!(error.is_system(), "{error}"),
        }
    }
}
