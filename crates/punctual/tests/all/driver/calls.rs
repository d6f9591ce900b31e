//! Callbacks that are called once: order, cancelling, moving, panics.

use super::{MICROSECOND, Notes, at, driver, run};
use punctual::Window;
use punctual::driver::{Cancellation, Firing, Handle, LATE, Timer};
use punctual::os::VirtualOs;
use punctual::{Driver, Instant, Os, Sleeper};
use std::sync::{Arc, Mutex};

#[test]
fn callbacks_come_in_order_at_their_times() {
    let (os, driver, timers) = driver();
    let notes = Notes::default();
    for (name, micros) in [
        ("third", 300),
        ("first", 100),
        ("second", 200),
        ("fourth", 300),
    ] {
        let notes = notes.clone();
        let note = move |firing: Firing| notes.push((name, firing));
        timers.once(at(micros), note).unwrap();
    }
    run(&os, driver, at(1_000));
    let notes = notes.all();
    let names: Vec<_> = notes.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["first", "second", "third", "fourth"]);
    for (name, firing) in notes {
        assert!(firing.woke >= firing.window.earliest(), "{name}");
        assert!(firing.excess() < LATE, "{name}: {firing:?}");
    }
    let counters = timers.counters();
    assert_eq!((counters.fired, counters.late, counters.panics), (5, 0, 0));
}

#[test]
fn one_wake_up_serves_all_windows_that_have_an_instant_in_common() {
    // A system that makes no use of tolerance: it ends each wait as soon as it may.
    let (os, driver, timers) = driver();
    for start in 100..200 {
        let window = Window::tolerating(at(start), 100 * MICROSECOND);
        let check = |firing: Firing| assert!(firing.woke >= at(199));
        timers.once(window, check).unwrap();
    }
    let stop = timers.clone();
    timers.once(at(5_000), move |_| stop.shut_down()).unwrap();
    // Coarse: no margin takes from the windows.
    driver.run(&mut Sleeper::on(os.clone()).coarse());
    let counters = timers.counters();
    assert_eq!((counters.wakeups, os.system_waits()), (2, 2));
    assert_eq!(
        (counters.fired, counters.late, counters.panics),
        (101, 0, 0)
    );
}

#[test]
fn who_is_late_is_counted() {
    let (os, driver, timers) = driver();
    let slow = os.clone();
    timers
        .once(at(100), move |_| slow.advance(50 * MICROSECOND))
        .unwrap();
    timers
        .once(at(120), |firing| {
            assert_eq!(firing.lateness().as_micros(), 30);
        })
        .unwrap();
    timers
        .once(Window::from(at(120)..=at(400)), |_| ())
        .unwrap();
    run(&os, driver, at(1_000));
    let counters = timers.counters();
    assert_eq!((counters.fired, counters.late, counters.panics), (4, 1, 0));
    assert_eq!(counters.worst_excess.as_micros(), 30);
}

#[test]
fn a_callback_may_insert_for_now_and_for_the_past() {
    let (os, driver, timers) = driver();
    let notes = Notes::default();
    let (inner, inner_notes) = (timers.clone(), notes.clone());
    let insert = move |_| {
        for micros in [50, 0, 100] {
            let notes = inner_notes.clone();
            inner.once(at(micros), move |_| notes.push(micros)).unwrap();
        }
    };
    timers.once(at(100), insert).unwrap();
    run(&os, driver, at(1_000));
    assert_eq!(notes.all(), [0, 50, 100], "the later they are, the sooner");
}

#[test]
fn who_inserts_for_now_for_ever_can_still_be_shut_down() {
    let (os, driver, timers) = driver();
    fn again(timers: Handle<VirtualOs>, left: u32) {
        let inner = timers.clone();
        let next = move |_| match left {
            0 => inner.shut_down(),
            _ => again(inner, left - 1),
        };
        // Refused once it is shut down.
        let _ = timers.once(at(0), next);
    }
    again(timers.clone(), 100);
    driver.run(&mut Sleeper::on(os));
    assert_eq!(timers.counters().fired, 101);
}

#[test]
fn cancelling_says_what_came_of_it() {
    let (os, driver, timers) = driver();
    let waiting = timers
        .once(at(200), |_| panic!("it was cancelled"))
        .unwrap();
    assert_eq!(waiting.cancel(), Cancellation::Prevented);
    assert_eq!(waiting.cancel(), Cancellation::TooLate);

    let outcomes = Notes::default();
    let itself: Arc<Mutex<Option<Timer<VirtualOs>>>> = Arc::default();
    let (notes, own) = (outcomes.clone(), Arc::clone(&itself));
    let fired = timers.once(at(100), move |_| {
        let own = own.lock().unwrap().take().unwrap();
        notes.push(own.cancel());
        assert!(!own.reschedule(at(500)));
    });
    *itself.lock().unwrap() = Some(fired.clone().unwrap());
    run(&os, driver, at(1_000));
    assert_eq!(outcomes.all(), [Cancellation::UnderWay]);
    assert_eq!(fired.unwrap().cancel(), Cancellation::TooLate);
    assert_eq!(timers.counters().panics, 0);
}

#[test]
fn a_timer_is_moved_both_ways_and_keeps_its_handle() {
    let (os, driver, timers) = driver();
    let notes = Notes::default();
    let note = |name| {
        let notes = notes.clone();
        move |firing: Firing| notes.push((name, firing.woke.as_nanos() / 1_000))
    };
    let sooner = timers.once(at(900), note("sooner")).unwrap();
    let later = timers.once(at(100), note("later")).unwrap();
    assert!(sooner.reschedule(at(200)));
    assert!(later.reschedule(at(300)));
    assert!(later.reschedule(at(400)));
    run(&os, driver, at(1_000));
    assert_eq!(notes.all(), [("sooner", 200), ("later", 400)]);
    assert!(!later.reschedule(at(500)));
}

#[test]
fn a_panic_loses_no_other_timer() {
    let (os, driver, timers) = driver();
    let notes = Notes::default();
    for micros in [100, 200, 300] {
        let notes = notes.clone();
        timers
            .once(at(micros), move |_| notes.push(micros))
            .unwrap();
        timers.once(at(micros), |_| panic!("on purpose")).unwrap();
    }
    run(&os, driver, at(1_000));
    assert_eq!(notes.all(), [100, 200, 300]);
    assert_eq!(timers.counters().panics, 3);
}

#[test]
fn a_system_that_wakes_early_or_late_makes_nothing_early() {
    for nanos in [-400_i64, 70_000] {
        let os = VirtualOs::waking(move |until| {
            Instant::from_nanos(until.as_nanos().saturating_add_signed(nanos))
        });
        let driver = Driver::on(os.clone());
        for micros in [100, 101, 5_000] {
            let check = move |firing: Firing| assert!(firing.woke >= at(micros));
            driver.handle().once(at(micros), check).unwrap();
        }
        let timers = driver.handle();
        run(&os, driver, at(10_000));
        assert_eq!(timers.counters().panics, 0);
    }
}

#[test]
fn an_event_loop_of_ones_own_is_told_of_what_comes_sooner() {
    let (os, mut driver, timers) = driver();
    let told = Notes::default();
    let notes = told.clone();
    driver.on_sooner(move || notes.push(()));
    assert_eq!(driver.next_wakeup(), None);
    timers.once(at(500), |_| ()).unwrap();
    assert_eq!(told.all().len(), 1, "there was none");
    assert_eq!(driver.next_wakeup(), Some(at(500).into()));
    timers.once(at(600), |_| ()).unwrap();
    assert_eq!(told.all().len(), 1, "that is later");
    timers.once(at(400), |_| ()).unwrap();
    timers.once(at(300), |_| ()).unwrap();
    assert_eq!(told.all().len(), 2, "once until it asks again");
    assert_eq!(driver.run_due(), 0);
    os.advance(400 * MICROSECOND);
    assert_eq!(driver.run_due(), 2);
    assert_eq!(driver.next_wakeup(), Some(at(500).into()));
    timers.shut_down();
    assert_eq!(told.all().len(), 3);
    assert_eq!(driver.next_wakeup(), None);
    assert_eq!(driver.run_due(), 0);
    assert!(timers.is_empty(), "what waited was dropped");
    assert!(os.now() < at(500));
}
