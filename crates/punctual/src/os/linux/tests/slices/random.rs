//! Sleepers and guards come and go in any order, on two threads.

use super::threads::Worker;
use super::{wait, with_slices};
use crate::Sleeper;
use crate::guard::SliceGuard;
use crate::os::Slice;
use proptest::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

const THREADS: usize = 2;
const SLEEPERS: usize = 3;

#[derive(Debug, Clone)]
enum Step {
    /// A sleeper waits on a thread.
    Wait { sleeper: usize, thread: usize },
    /// A sleeper is paused, on any thread.
    Pause { sleeper: usize, thread: usize },
    /// A sleeper is dropped, on any thread, and another takes its place.
    Replace { sleeper: usize, thread: usize },
    /// A guard sets a slice, and is the innermost of its thread.
    Guard { thread: usize, slice: Duration },
    /// The innermost guard is dropped.
    Unguard { thread: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let (sleeper, thread) = (0..SLEEPERS, 0..THREADS);
    let both = (sleeper, thread.clone());
    prop_oneof![
        4 => both.clone().prop_map(|(sleeper, thread)| Step::Wait { sleeper, thread }),
        1 => both.clone().prop_map(|(sleeper, thread)| Step::Pause { sleeper, thread }),
        1 => both.prop_map(|(sleeper, thread)| Step::Replace { sleeper, thread }),
        1 => (thread.clone(), 100_000_u64..100_003).prop_map(|(thread, nanos)| {
            Step::Guard { thread, slice: Duration::from_nanos(nanos) }
        }),
        1 => (thread.clone(), 100_000_u64..=100_000_000).prop_map(|(thread, nanos)| {
            Step::Guard { thread, slice: Duration::from_nanos(nanos) }
        }),
        2 => thread.prop_map(|thread| Step::Unguard { thread }),
    ]
}

thread_local! {
    static GUARDS: RefCell<Vec<SliceGuard>> = const { RefCell::new(Vec::new()) };
}

/// What is expected: a guard's slice, or the sleepers', or the default.
struct Model {
    default: Duration,
    held_on: [Option<usize>; SLEEPERS],
    guards: [Vec<Duration>; THREADS],
}

impl Model {
    fn slice(&self, thread: usize) -> Duration {
        let ours = Slice::SHORTEST + Duration::from_nanos(1);
        match self.guards[thread].last() {
            // A guard's is never taken for ours.
            Some(&own) if own == ours => own + Duration::from_nanos(1),
            Some(&own) => own,
            None if self.held_on.contains(&Some(thread)) => ours,
            None => self.default,
        }
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Wait { sleeper, thread } => self.held_on[sleeper] = Some(thread),
            Step::Pause { sleeper, .. } | Step::Replace { sleeper, .. } => {
                self.held_on[sleeper] = None;
            }
            Step::Guard { thread, slice } => self.guards[thread].push(slice),
            Step::Unguard { thread } => {
                self.guards[thread].pop();
            }
        }
    }
}

fn take(step: &Step, workers: &[Worker], sleepers: &mut [Option<Sleeper>]) {
    match *step {
        Step::Wait { sleeper, thread } => {
            let mut moved = sleepers[sleeper].take().unwrap();
            sleepers[sleeper] = Some(workers[thread].run(move |_| {
                wait(&mut moved);
                moved
            }));
        }
        Step::Pause { sleeper, thread } => {
            let mut moved = sleepers[sleeper].take().unwrap();
            sleepers[sleeper] = Some(workers[thread].run(move |_| {
                moved.pause();
                moved
            }));
        }
        Step::Replace { sleeper, thread } => {
            let moved = sleepers[sleeper].replace(Sleeper::new());
            workers[thread].run(move |_| drop(moved));
        }
        Step::Guard { thread, slice } => workers[thread].run(move |os| {
            let guard = SliceGuard::set(os, slice).unwrap();
            GUARDS.with_borrow_mut(|guards| guards.push(guard));
        }),
        Step::Unguard { thread } => workers[thread].run(|_| {
            GUARDS.with_borrow_mut(|guards| drop(guards.pop()));
        }),
    }
}

proptest! {
    #[test]
    fn every_thread_has_the_slice_of_its_guard_or_of_its_sleepers_or_the_default(
        steps in prop::collection::vec(step(), 1..24),
    ) {
        with_slices(move |_, default| {
            let workers: Vec<_> = (0..THREADS).map(|_| Worker::start()).collect();
            let mut sleepers: Vec<_> = (0..SLEEPERS).map(|_| Some(Sleeper::new())).collect();
            let mut model = Model { default, held_on: [None; SLEEPERS], guards: Default::default() };
            for (index, step) in steps.iter().enumerate() {
                take(step, &workers, &mut sleepers);
                model.take(step);
                for (thread, worker) in workers.iter().enumerate() {
                    assert_eq!(worker.slice(), model.slice(thread), "thread {thread} after step {index}");
                }
            }
        });
    }
}
