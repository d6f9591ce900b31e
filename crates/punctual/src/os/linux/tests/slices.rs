//! Slices: set by a guard, held by sleepers, and given back.

mod inherited;
mod random;
mod threads;

use crate::guard::{PriorityGuard, SliceGuard};
use crate::os::{Priority, Scheduling, Slice};
use crate::{Cancel, Driver, Instant, Margin, Native, Sleeper};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Runs it on a thread of its own, with the default slice; says so if this system has no slices.
fn with_slices(body: impl FnOnce(&Native, Duration) + Send + 'static) {
    let run = move || {
        let os = Native::new();
        match os.slice() {
            Ok(default) => body(&os, default),
            Err(refused) => println!("skipped: {refused}"),
        }
    };
    thread::spawn(run).join().unwrap();
}

/// The longest wait, which ends as soon as it has begun. A short one could be over before.
fn wait(sleeper: &mut Sleeper) {
    let cancel = Cancel::new();
    cancel.cancel();
    sleeper
        .sleep_until_unless(Instant::MAX, &cancel)
        .unwrap_err();
}

/// A sleeper that has waited on the calling thread.
fn that_waited() -> Sleeper {
    let mut sleeper = Sleeper::new();
    wait(&mut sleeper);
    sleeper
}

/// Whether it is the slice that sleepers hold: the shortest, but for a nanosecond, by which it is known
/// from one that something else has set.
fn is_short(os: &Native) -> bool {
    os.slice().unwrap() == Slice::SHORTEST + Duration::from_nanos(1)
}

const OWN: Duration = Duration::from_millis(7);

#[test]
fn a_slice_is_what_was_asked_for_while_the_guard_lives() {
    with_slices(|os, default| {
        for slice in [Slice::SHORTEST, OWN, Slice::LONGEST] {
            let outer = SliceGuard::set(os, slice).unwrap();
            assert_eq!(os.slice().unwrap(), slice);
            let inner = SliceGuard::set(os, 3 * Slice::SHORTEST).unwrap();
            assert_eq!(os.slice().unwrap(), 3 * Slice::SHORTEST);
            drop(inner);
            assert_eq!(os.slice().unwrap(), slice);
            drop(outer);
            assert_eq!(os.slice().unwrap(), default);
        }
    });
}

#[test]
fn a_slice_that_there_is_not_is_refused_and_changes_nothing() {
    with_slices(|os, default| {
        for slice in [
            Duration::ZERO,
            Slice::SHORTEST - Duration::from_nanos(1),
            Slice::LONGEST + Duration::from_nanos(1),
            Duration::MAX,
        ] {
            let error = SliceGuard::set(os, slice).unwrap_err();
            assert!(error.is_invalid_input(), "{error}");
            assert!(error.to_string().contains("from 100µs to 100ms"), "{error}");
            assert_eq!(os.slice().unwrap(), default);
        }
    });
}

#[test]
fn a_sleeper_holds_a_short_slice_between_its_waits_and_gives_it_back() {
    with_slices(|os, default| {
        let mut sleeper = Sleeper::new();
        assert_eq!(os.slice().unwrap(), default);
        for _ in 0..2 {
            wait(&mut sleeper);
            assert!(is_short(os));
            sleeper.pause();
            assert_eq!(os.slice().unwrap(), default);
        }
        wait(&mut sleeper);
        drop(sleeper);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn every_kind_of_sleeper_holds_it_however_long_it_waits() {
    with_slices(|os, default| {
        for margin in [
            Margin::default(),
            Margin::coarse(),
            Margin::exact(),
            Margin::fixed(Duration::ZERO),
        ] {
            let mut sleeper = Sleeper::new().with_margin(margin);
            wait(&mut sleeper);
            assert!(is_short(os), "{sleeper:?}");
            drop(sleeper);
            assert_eq!(os.slice().unwrap(), default);
        }
    });
}

#[test]
fn a_sleeper_that_is_to_leave_the_slice_alone_does() {
    with_slices(|os, default| {
        let mut sleeper = Sleeper::new().with_slice(Slice::Unchanged);
        wait(&mut sleeper);
        assert_eq!(os.slice().unwrap(), default);
        let mut sleeper = sleeper.with_slice(Slice::Short);
        wait(&mut sleeper);
        assert!(is_short(os));
        let _sleeper = sleeper.with_slice(Slice::Unchanged);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn the_last_of_several_sleepers_gives_it_back() {
    with_slices(|os, default| {
        let (mut first, second) = (that_waited(), that_waited());
        drop(second);
        assert!(is_short(os));
        let third = that_waited();
        first.pause();
        assert!(is_short(os));
        drop(third);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn a_slice_of_the_programs_own_is_left_alone() {
    with_slices(|os, default| {
        for own in [Slice::SHORTEST, OWN] {
            let guard = SliceGuard::set(os, own).unwrap();
            let sleeper = that_waited();
            assert_eq!(os.slice().unwrap(), own);
            drop(sleeper);
            assert_eq!(os.slice().unwrap(), own);
            drop(guard);
            assert_eq!(os.slice().unwrap(), default);
        }
    });
}

#[test]
fn a_slice_that_the_program_sets_while_one_is_held_stays() {
    with_slices(|os, default| {
        let mut sleeper = that_waited();
        for own in [
            OWN,
            Slice::SHORTEST,
            Slice::SHORTEST + Duration::from_nanos(1),
        ] {
            let guard = SliceGuard::set(os, own).unwrap();
            wait(&mut sleeper);
            assert!(!is_short(os));
            sleeper.pause();
            assert!(os.slice().unwrap() - own < Duration::from_nanos(2));
            wait(&mut sleeper);
            assert!(!is_short(os));
            drop(guard);
            assert!(is_short(os), "the sleeper still holds it");
        }
        let guard = SliceGuard::set(os, OWN).unwrap();
        drop(sleeper);
        assert_eq!(os.slice().unwrap(), OWN);
        drop(guard);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn a_real_time_thread_is_left_alone_and_owes_nothing_when_it_is_ordinary_again() {
    with_slices(|os, default| {
        let sleeper = that_waited();
        let guard = match PriorityGuard::raise(os, Priority::Fifo(1)) {
            Ok(guard) => guard,
            Err(refused) => return println!("skipped: {refused}"),
        };
        let error = SliceGuard::set(os, OWN).unwrap_err();
        assert!(error.is_unsupported(), "{error}");
        assert!(error.to_string().contains("class"), "{error}");
        drop(sleeper);
        drop(guard);
        assert_eq!(os.slice().unwrap(), default);

        let guard = PriorityGuard::raise(os, Priority::Fifo(1)).unwrap();
        let sleeper = that_waited();
        drop(guard);
        assert!(is_short(os), "an ordinary thread has one");
        drop(sleeper);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn threads_of_other_classes_are_left_alone() {
    with_slices(|os, default| {
        let become_ = |class| {
            // SAFETY: plain numbers, for which zero is a value.
            let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
            // SAFETY: `parameters` is valid for reading.
            let result = unsafe { libc::sched_setscheduler(0, class, &raw const parameters) };
            assert_eq!(result, 0);
        };
        become_(libc::SCHED_BATCH);
        let sleeper = that_waited();
        assert_eq!(os.slice().unwrap(), default);
        drop(sleeper);
        become_(libc::SCHED_IDLE);
        let sleeper = that_waited();
        assert!(os.slice().unwrap_err().is_unsupported());
        drop(sleeper);
    });
}

#[test]
fn a_raised_priority_changes_no_slice() {
    with_slices(|os, default| {
        let sleeper = that_waited();
        match PriorityGuard::raise(os, Priority::High) {
            Ok(_guard) => assert!(is_short(os)),
            Err(refused) => println!("skipped: {refused}"),
        }
        assert!(is_short(os));
        drop(sleeper);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn a_driver_gives_it_back_when_it_ends() {
    with_slices(|os, default| {
        let driver = Driver::new();
        let timers = driver.handle();
        let stops = timers.clone();
        // A driver may find its first timer due and serve it without a wait.
        let mut sleeper = that_waited();
        let served = timers.after(Duration::from_millis(1), move |_| {
            assert!(is_short(&Native::new()));
            stops.shut_down();
        });
        served.unwrap();
        driver.run(&mut sleeper);
        drop(sleeper);
        assert_eq!(os.slice().unwrap(), default);
        assert_eq!(timers.counters().panics, 0);
    });
}

#[test]
fn a_driver_follows_its_sleeper() {
    with_slices(|os, default| {
        // What the driver's thread inherits is not what it is to have.
        let _held = that_waited();
        for (slice, expected) in [(Slice::Short, true), (Slice::Unchanged, false)] {
            let sleeper = Sleeper::new().with_slice(slice);
            let driver = Driver::new().start_with(sleeper).unwrap();
            let timers = driver.handle();
            let served = || {
                let (sender, receiver) = mpsc::channel();
                let served = timers.after(Duration::from_millis(1), move |_| {
                    let os = Native::new();
                    sender.send((is_short(&os), os.slice().unwrap())).unwrap();
                });
                served.unwrap();
                receiver.recv().unwrap()
            };
            // On a busy machine a timer can be due before the driver has waited.
            let (short, slice) = (0..100)
                .map(|_| served())
                .find(|(short, _)| *short == expected)
                .unwrap();
            assert!(short || slice == default);
            driver.shut_down().unwrap();
        }
        assert!(is_short(os));
    });
}
