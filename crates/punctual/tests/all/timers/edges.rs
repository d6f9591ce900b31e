//! Where time or memory ends, and where keys die.

use punctual::Window;
use punctual::{Instant, Timers};
use std::collections::HashSet;
use std::time::Duration;

const fn at(nanos: u64) -> Instant {
    Instant::from_nanos(nanos)
}

#[test]
fn equals_fire_first_in_first_out_however_they_came_there() {
    let mut timers = Timers::new();
    // Far, so that some are moved about on their way to being due.
    let deadline = at(1 << 40);
    let first = timers.insert(deadline, 1);
    for value in 2..=5 {
        timers.insert(deadline, value);
    }
    assert!(timers.pop_due(at((1 << 40) - 1)).is_none());
    timers.insert(deadline, 6);
    assert!(timers.reschedule(first, at(3)));
    assert!(timers.reschedule(first, deadline));
    let order: Vec<_> = timers.expire(deadline).map(|fired| fired.value).collect();
    assert_eq!(order, [2, 3, 4, 5, 6, 1]);
}

#[test]
fn the_late_fire_in_the_order_in_which_they_were_due() {
    let mut timers = Timers::new();
    timers.insert(at(1_000_000), 0);
    assert_eq!(timers.expire(at(2_000_000)).count(), 1);
    for nanos in [7, 1_999_999, 0, 7, 1_000_000] {
        timers.insert(at(nanos), nanos);
    }
    assert_eq!(timers.next_wakeup(), Some(at(0)));
    let order: Vec<_> = timers
        .expire(at(2_000_000))
        .map(|fired| fired.value)
        .collect();
    assert_eq!(order, [0, 7, 7, 1_000_000, 1_999_999]);
}

#[test]
fn what_is_inserted_while_others_fire_takes_its_place() {
    let mut timers = Timers::new();
    timers.insert(at(10), 10);
    timers.insert(at(30), 30);
    let mut order = Vec::new();
    while let Some(fired) = timers.pop_due(at(30)) {
        order.push(fired.value);
        if fired.value == 10 {
            timers.insert(at(20), 20);
            timers.insert(at(5), 5);
            timers.insert(at(31), 31);
        }
    }
    assert_eq!(order, [10, 5, 20, 30]);
    assert_eq!(timers.next_wakeup(), Some(at(31)));
}

#[test]
fn a_window_that_has_not_begun_holds_back_those_behind_it() {
    let mut timers = Timers::new();
    timers.insert(at(0)..=at(90), "may fire at once");
    timers.insert(at(80)..=at(80), "exact");
    timers.insert(at(40)..=at(95), "behind");
    assert!(timers.pop_due(at(79)).is_none());
    assert_eq!(timers.next_wakeup(), Some(at(80)));
    assert_eq!(timers.expire(at(80)).count(), 3);
}

#[test]
fn a_window_may_last_until_the_end_of_time() {
    let mut timers = Timers::new();
    timers.insert(Window::tolerating(at(5), Duration::MAX), ());
    assert_eq!(timers.next_wakeup(), Some(Instant::MAX));
    assert_eq!(timers.expire(at(4)).count(), 0);
    assert_eq!(timers.expire(at(5)).count(), 1);
}

#[test]
fn the_last_instant_can_be_waited_for() {
    let mut timers = Timers::new();
    timers.insert(Instant::MAX, 1);
    timers.insert(at(u64::MAX - 1), 0);
    timers.insert(Instant::MAX, 2);
    assert_eq!(timers.expire(at(u64::MAX - 1)).count(), 1);
    timers.insert(Instant::MAX, 3);
    timers.insert(at(0), 0);
    let order: Vec<_> = timers
        .expire(Instant::MAX)
        .map(|fired| fired.value)
        .collect();
    assert_eq!(order, [0, 1, 2, 3]);
    timers.insert(Instant::MAX, 4);
    assert_eq!(timers.next_wakeup(), Some(Instant::MAX));
    assert_eq!(timers.expire(Instant::MAX).count(), 1);
}

#[test]
fn time_that_goes_back_makes_nothing_early() {
    let mut timers = Timers::new();
    timers.insert(at(1_000), 1);
    assert_eq!(timers.expire(at(1_000)).count(), 1);
    timers.insert(at(500), 2);
    assert!(timers.pop_due(at(499)).is_none());
    assert_eq!(timers.pop_due(at(500)).map(|fired| fired.value), Some(2));
}

#[test]
fn a_key_stays_dead_when_its_memory_is_used_again() {
    let mut timers = Timers::new();
    let mut dead = HashSet::new();
    for round in 0..1_000 {
        let key = timers.insert(at(round), round);
        assert!(dead.insert(key), "a key came twice");
        if round % 2 == 0 {
            assert_eq!(timers.cancel(key), Some(round));
        } else {
            assert_eq!(
                timers.expire(at(round)).next().map(|fired| fired.key),
                Some(key)
            );
        }
    }
    let live = timers.insert(at(0), 1);
    for &key in &dead {
        assert_eq!(timers.cancel(key), None);
        assert!(!timers.reschedule(key, at(1)));
        assert_eq!(timers.get(key), None);
    }
    timers.clear();
    assert_eq!(timers.cancel(live), None);
    let again = timers.insert(at(0), 2);
    assert_eq!((timers.get(live), timers.get(again)), (None, Some(&2)));
}

#[test]
fn what_is_not_taken_stays() {
    let mut timers = Timers::with_capacity(2);
    timers.insert(at(1), 1);
    timers.insert(at(2), 2);
    assert_eq!(
        timers.expire(at(9)).next().map(|fired| fired.value),
        Some(1)
    );
    assert_eq!(timers.len(), 1);
    assert_eq!(timers.next_wakeup(), Some(at(2)));
}
