//! Handles: few, used again, closed in the end.

use super::super::WindowsOs;
use super::super::timers::{Kind, MOST_IDLE_TIMERS, Timers};
use super::fake::{Fake, SEVEN, TEN_1803, VERSIONS, XP};
use super::{Bench, MILLISECOND};
use crate::Sleeper;
use crate::os::{Os, Woken};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

#[test]
fn one_thread_waits_on_one_timer_for_ever() {
    for version in VERSIONS {
        let bench = Bench::new(version);
        let before = bench.fake.calls("create_waitable_timer_ex_w");
        for _ in 0..100 {
            bench.sleep(2 * MILLISECOND, Duration::ZERO);
        }
        let plain = bench.fake.calls("create_waitable_timer_w");
        let high = bench.fake.calls("create_waitable_timer_ex_w") - before;
        assert!(plain + high <= 1, "{version:?}: {plain} + {high}");
    }
}

#[test]
fn every_handle_is_closed_with_the_last_clone() {
    for version in VERSIONS {
        let Bench { fake, os, bell } = Bench::new(version);
        let clone = os.clone();
        let mut sleeper = Sleeper::on(os);
        for tolerance in [Duration::ZERO, 20 * MILLISECOND] {
            let until = clone.now() + 3 * MILLISECOND;
            clone.wait(Some(until), tolerance, &bell);
        }
        sleeper.sleep(MILLISECOND);
        let another = bell.clone();
        drop((sleeper, bell, another));
        assert!(fake.open_handles() > 0, "timers wait for the next borrower");
        drop(clone);
        assert_eq!(fake.open_handles(), 0, "{version:?}");
    }
}

#[test]
fn taking_hold_of_a_machine_leaves_nothing_behind() {
    for version in VERSIONS {
        let fake = Fake::new(version);
        drop(WindowsOs::on(fake.clone()));
        assert_eq!(fake.open_handles(), 0);
        assert!(fake.state().requests.is_empty());
    }
}

#[test]
fn a_timer_whose_wait_the_bell_ended_is_cancelled() {
    for version in [XP, TEN_1803] {
        let bench = Bench::new(version);
        let before = bench.fake.calls("cancel_waitable_timer");
        bench.os.ring(&bench.bell);
        assert_eq!(bench.wait(20 * MILLISECOND, Duration::ZERO), Woken::ByBell);
        assert_eq!(bench.fake.calls("cancel_waitable_timer"), before + 1);
        bench.os.hush(&bench.bell);
        assert_eq!(bench.wait(MILLISECOND, Duration::ZERO), Woken::ByTime);
        assert_eq!(bench.fake.calls("cancel_waitable_timer"), before + 1);
    }
}

#[test]
fn as_many_timers_are_lent_as_are_asked_for_and_a_bounded_number_is_kept() {
    let fake = Fake::new(SEVEN);
    let timers = Timers::new(Kind::Plain, &fake);
    let lent: Vec<_> = (0..MOST_IDLE_TIMERS + 3)
        .map(|_| timers.lend().ok().unwrap())
        .collect();
    let mut handles: Vec<_> = lent.iter().map(|timer| timer.object().number).collect();
    handles.dedup();
    assert_eq!(handles.len(), MOST_IDLE_TIMERS + 3);
    drop(lent);
    assert_eq!(fake.open_handles(), MOST_IDLE_TIMERS);
    drop(timers);
    assert_eq!(fake.open_handles(), 0);
}

#[test]
fn no_timer_is_lent_to_two_threads_at_once() {
    let fake = Fake::new(SEVEN);
    let timers = Timers::new(Kind::Plain, &fake);
    let lent = Mutex::new(BTreeSet::new());
    let borrow = || {
        for _ in 0..1_000 {
            let timer = timers.lend().ok().unwrap();
            assert!(lent.lock().unwrap().insert(timer.object().number));
            thread::yield_now();
            assert!(lent.lock().unwrap().remove(&timer.object().number));
        }
    };
    thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(borrow))));
    assert!(fake.open_handles() <= 4);
    drop(timers);
    assert_eq!(fake.open_handles(), 0);
}
