//! The orders in which threads can insert while the driver falls asleep, tried with `loom`:
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p punctual --test loom --release`

#![cfg(loom)]

mod atomic {
    pub use loom::sync::atomic::{AtomicU64, Ordering};
}

/// The library's own, on loom's atomics.
#[path = "../src/driver/rest.rs"]
mod rest;

use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use rest::Rest;

/// A bell that stays rung until it is hushed.
#[derive(Default)]
struct Bell {
    is_rung: Mutex<bool>,
    rung: Condvar,
}

impl Bell {
    fn ring(&self) {
        *self.is_rung.lock().unwrap() = true;
        self.rung.notify_one();
    }

    /// Loom says so if nothing will ever ring.
    fn wait_and_hush(&self) {
        let mut is_rung = self.is_rung.lock().unwrap();
        while !*is_rung {
            is_rung = self.rung.wait(is_rung).unwrap();
        }
        *is_rung = false;
    }
}

/// A driver with two queues, of which only the heads matter, and one thing to do by each.
struct World {
    rest: Rest,
    queues: [Mutex<Option<u64>>; 2],
    bell: Bell,
}

impl World {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            rest: Rest::new(),
            queues: [Mutex::new(None), Mutex::new(None)],
            bell: Bell::default(),
        })
    }

    fn insert(&self, queue: usize, latest: u64) {
        let mut head = self.queues[queue].lock().unwrap();
        *head = Some(head.map_or(latest, |head| head.min(latest)));
        drop(head);
        if self.rest.is_disturbed_by(latest) && self.rest.disturb() {
            self.bell.ring();
        }
    }

    fn look(&self) -> Option<u64> {
        let heads = self.queues.iter().map(|queue| *queue.lock().unwrap());
        heads.flatten().min()
    }

    /// Sleeps until it knows of something to be done by `latest`. Time never passes: whatever the
    /// driver rests for, only the bell wakes it. `expected`: when it thinks to find something.
    fn sleep_until_told_of(&self, latest: u64, expected: u64) {
        loop {
            self.rest.awake();
            let until = self.rest.fall_asleep(expected, || {
                let head = self.look();
                (head, head)
            });
            if until.is_some_and(|until| until <= latest) {
                return;
            }
            self.bell.wait_and_hush();
        }
    }
}

/// So many switches at unfortunate moments find what all orders would, in seconds and not hours.
const PREEMPTIONS: usize = 3;

fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(model);
}

#[test]
fn a_driver_that_rests_for_ever_hears_of_all() {
    explore(|| {
        let world = World::new();
        let inserters = [(0, 7), (1, 5)].map(|(queue, latest)| {
            let world = Arc::clone(&world);
            thread::spawn(move || world.insert(queue, latest))
        });
        world.sleep_until_told_of(5, u64::MAX);
        for inserter in inserters {
            inserter.join().unwrap();
        }
    });
}

#[test]
fn a_driver_that_rests_until_an_instant_hears_of_what_comes_before() {
    let as_found = 9;
    explore(move || hears_of_what_comes_before(as_found));
}

#[test]
fn a_driver_that_expected_what_was_cancelled_hears_of_what_comes_after_it() {
    let cancelled = 2;
    explore(move || hears_of_what_comes_before(cancelled));
}

fn hears_of_what_comes_before(expected: u64) {
    let world = World::new();
    world.insert(0, 9);
    let inserters = [3, 6].map(|latest| {
        let world = Arc::clone(&world);
        thread::spawn(move || world.insert(1, latest))
    });
    world.sleep_until_told_of(3, expected);
    for inserter in inserters {
        inserter.join().unwrap();
    }
}

/// A control beside the queues, as that which says that a future was woken or to shut down.
#[test]
fn whoever_disturbs_in_any_case_is_heard() {
    explore(|| {
        let world = World::new();
        world.insert(0, 9);
        let nudger = {
            let world = Arc::clone(&world);
            thread::spawn(move || {
                *world.queues[1].lock().unwrap() = Some(0);
                if world.rest.disturb() {
                    world.bell.ring();
                }
            })
        };
        world.sleep_until_told_of(0, 9);
        nudger.join().unwrap();
    });
}
