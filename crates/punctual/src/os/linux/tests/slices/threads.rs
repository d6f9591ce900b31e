//! Sleepers that move to other threads.

use super::{is_short, that_waited, wait, with_slices};
use crate::guard::SliceGuard;
use crate::os::Scheduling;
use crate::{Native, Sleeper};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

type Task = Box<dyn FnOnce(&Native) + Send>;

/// A thread that does what it is given, until it is dropped.
pub(super) struct Worker {
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn start() -> Self {
        let (tasks, given) = mpsc::channel::<Task>();
        let thread = thread::spawn(move || {
            let os = Native::new();
            for task in given {
                task(&os);
            }
        });
        Self {
            tasks: Some(tasks),
            thread: Some(thread),
        }
    }

    /// Does it, and returns what it returns.
    pub(super) fn run<R: Send + 'static>(
        &self,
        body: impl FnOnce(&Native) -> R + Send + 'static,
    ) -> R {
        let (sender, receiver) = mpsc::channel();
        let task: Task = Box::new(move |os| sender.send(body(os)).unwrap());
        self.tasks.as_ref().unwrap().send(task).unwrap();
        receiver.recv().unwrap()
    }

    pub(super) fn slice(&self) -> Duration {
        self.run(|os| os.slice().unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.tasks.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

fn moved(mut sleeper: Sleeper) -> Sleeper {
    wait(&mut sleeper);
    sleeper
}

#[test]
fn a_sleeper_that_moves_takes_its_slice_along() {
    with_slices(|os, default| {
        let worker = Worker::start();
        let sleeper = worker.run(|os| {
            let sleeper = that_waited();
            assert!(is_short(os));
            sleeper
        });
        let sleeper = moved(sleeper);
        assert!(is_short(os));
        assert_eq!(worker.slice(), default, "given back from here");
        let sleeper = worker.run(move |os| {
            let sleeper = moved(sleeper);
            assert!(is_short(os));
            sleeper
        });
        assert_eq!(os.slice().unwrap(), default, "given back from there");
        drop(sleeper);
        assert_eq!(worker.slice(), default);
    });
}

#[test]
fn of_two_sleepers_that_share_a_slice_the_one_that_moves_leaves_it() {
    with_slices(|os, default| {
        let worker = Worker::start();
        let (first, second) = worker.run(|_| (that_waited(), that_waited()));
        let first = moved(first);
        assert!(worker.run(is_short));
        drop(second);
        assert_eq!(worker.slice(), default);
        assert!(is_short(os));
        drop(first);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn a_slice_that_was_set_since_stays_when_the_sleeper_is_dropped_elsewhere() {
    with_slices(|_, default| {
        let worker = Worker::start();
        let own = Duration::from_millis(5);
        let dropped_meanwhile = worker.run(move |os| {
            let sleeper = that_waited();
            let guard = SliceGuard::set(os, own).unwrap();
            thread::spawn(move || drop(sleeper)).join().unwrap();
            let slice = os.slice().unwrap();
            drop(guard);
            slice
        });
        assert_eq!(dropped_meanwhile, own);
        assert_eq!(worker.slice(), default);
    });
}

#[test]
fn a_sleeper_outlives_its_thread() {
    with_slices(|os, default| {
        let worker = Worker::start();
        let (sleeper, other) = worker.run(|_| (that_waited(), that_waited()));
        drop(worker);
        let sleeper = moved(sleeper);
        assert!(is_short(os));
        drop(other);
        assert!(is_short(os), "that was another thread's");
        drop(sleeper);
        assert_eq!(os.slice().unwrap(), default);
    });
}
