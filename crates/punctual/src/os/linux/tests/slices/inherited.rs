//! Slices that threads, forks and programs inherit.

use super::super::super::slice::slice_of_process;
use super::super::status_of_fork;
use super::{is_short, that_waited, with_slices};
use crate::Native;
use crate::guard::SliceGuard;
use crate::os::{Os, Scheduling, Slice};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;

#[test]
fn a_thread_of_the_program_inherits_the_slice_and_its_own_sleeper_gives_it_back() {
    with_slices(|os, default| {
        let held = that_waited();
        let body = || {
            let os = Native::new();
            assert!(is_short(&os));
            let sleeper = that_waited();
            assert!(is_short(&os));
            drop(sleeper);
            os.slice().unwrap()
        };
        assert_eq!(thread::spawn(body).join().unwrap(), default);
        assert!(is_short(os), "the thread that started it keeps its own");
        drop(held);
    });
}

#[test]
fn a_guard_does_not_give_back_what_was_inherited_and_has_been_given_up_since() {
    with_slices(|_, default| {
        let held = that_waited();
        let body = || {
            let os = Native::new();
            let sleeper = that_waited();
            let guard = SliceGuard::set(&os, Slice::LONGEST).unwrap();
            drop(sleeper);
            drop(guard);
            os.slice().unwrap()
        };
        assert_eq!(thread::spawn(body).join().unwrap(), default);
        drop(held);
    });
}

#[test]
fn a_thread_of_the_library_inherits_nothing() {
    with_slices(|os, default| {
        let _held = that_waited();
        let (sender, receiver) = mpsc::channel();
        let body = move || sender.send(Native::new().slice().unwrap()).unwrap();
        let started = os.spawn("short", Box::new(body)).unwrap();
        assert_eq!(receiver.recv().unwrap(), default);
        started.join(os).unwrap();
    });
}

#[test]
fn a_fork_inherits_the_slice_and_gives_back_its_own() {
    with_slices(|os, default| {
        let held = that_waited();
        let mut copy = Some(held);
        let status = status_of_fork(|| {
            let inherited = is_short(os);
            drop(copy.take());
            i32::from(inherited && os.slice().ok() == Some(default))
        });
        assert_eq!(status, Some(1));
        assert!(is_short(os), "the parent keeps its own");
        drop(copy);
        assert_eq!(os.slice().unwrap(), default);
    });
}

#[test]
fn a_fork_gives_nothing_back_for_threads_that_stayed_in_its_parent() {
    with_slices(|os, default| {
        let worker = super::threads::Worker::start();
        let mut held = Some(worker.run(|_| that_waited()));
        let status = status_of_fork(|| {
            drop(held.take());
            1
        });
        assert_eq!(status, Some(1));
        assert!(worker.run(is_short), "the parent's thread keeps its own");
        drop(held);
        assert_eq!(worker.slice(), default);
        assert_eq!(os.slice().unwrap(), default);
    });
}

/// A program that runs until its standard input ends.
fn started() -> Child {
    let mut program = Command::new("cat");
    let program = program.stdin(Stdio::piped()).stdout(Stdio::null());
    program.spawn().unwrap()
}

#[test]
fn a_program_inherits_the_slice_unless_the_sleeper_was_paused() {
    with_slices(|os, default| {
        let mut held = that_waited();
        let short = os.slice().unwrap();
        for expected in [short, default] {
            let mut program = started();
            let id = libc::pid_t::try_from(program.id()).unwrap();
            let slice = slice_of_process(id);
            program.kill().unwrap();
            program.wait().unwrap();
            assert_eq!(slice.unwrap(), expected);
            held.pause();
        }
    });
}
