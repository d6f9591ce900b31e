//! Slices: set by a guard, held by sleepers, and given back.

use crate::guard::SliceGuard;
use crate::os::{Scheduling, Slice};
use crate::{Native, Sleeper};
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

fn wait(sleeper: &mut Sleeper) {
    sleeper.sleep(Duration::from_micros(200));
}

/// What a sleeper holds is the shortest, and tells itself from the shortest of somebody else.
fn is_short(os: &Native) -> bool {
    let slice = os.slice().unwrap();
    slice > Slice::SHORTEST && slice - Slice::SHORTEST < Duration::from_micros(1)
}

#[test]
fn a_slice_is_what_was_asked_for_while_the_guard_lives() {
    with_slices(|os, default| {
        let (two, three) = (Duration::from_millis(2), Duration::from_millis(3));
        let outer = SliceGuard::set(os, two).unwrap();
        assert_eq!(os.slice().unwrap(), two);
        let inner = SliceGuard::set(os, three).unwrap();
        assert_eq!(os.slice().unwrap(), three);
        drop(inner);
        assert_eq!(os.slice().unwrap(), two);
        drop(outer);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn a_sleeper_holds_a_short_slice_between_its_waits_and_gives_it_back() {
    with_slices(|os, default| {
        let mut sleeper = Sleeper::new();
        assert_eq!(os.slice().unwrap(), default);
        wait(&mut sleeper);
        assert!(is_short(os));
        sleeper.pause();
        assert_eq!(os.slice().unwrap(), default);
        wait(&mut sleeper);
        assert!(is_short(os));
        drop(sleeper);
        assert_eq!(os.slice().unwrap(), default);
    });
}
