//! What only Linux can be asked: slack, signals, forks, priorities. None of it asserts how fast.

mod guards;
mod sandbox;
mod signals;
mod slices;

use super::clock;
use super::futex::{Bell, Primitive};
use super::origin::Origin;
use super::slack::{SlackGuard, slack_nanos};
use crate::Instant;
use crate::Native;
use crate::os::{Os, Spin, Woken};
use std::fs;
use std::io::ErrorKind;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const PRIMITIVES: [Primitive; 2] = [Primitive::WaitV, Primitive::WaitBitset];

fn soon() -> Instant {
    clock::now() + Duration::from_millis(2)
}

#[test]
fn slack_is_left_as_it_was_found() {
    let run = || {
        let odd = SlackGuard::set(Duration::from_nanos(12_345));
        let found = slack_nanos();
        for primitive in PRIMITIVES {
            for tolerance in [Duration::ZERO, Duration::from_millis(1)] {
                primitive.wait(&Bell::default(), Some(clock::now()), tolerance);
                assert_eq!(slack_nanos(), found, "{primitive:?} {tolerance:?}");
            }
        }
        drop(odd);
        assert_ne!(slack_nanos(), 12_345);
    };
    thread::spawn(run).join().unwrap();
}

#[test]
fn slack_is_what_was_asked_for_while_the_guard_lives() {
    let guard = SlackGuard::set(Duration::ZERO);
    assert_eq!(
        slack_nanos(),
        1,
        "zero would restore the default instead of removing it"
    );
    drop(guard);
    assert_ne!(slack_nanos(), 1);
}

#[test]
fn tolerance_is_the_threads_slack_while_the_kernel_waits() {
    for primitive in PRIMITIVES {
        let bell = Bell::default();
        let until = clock::now() + Duration::from_secs(600);
        let (theirs, (sender, receiver)) = (bell.clone(), mpsc::channel());
        let waiter = thread::spawn(move || {
            // SAFETY: reads a number of the calling thread; no pointers.
            sender.send(unsafe { libc::gettid() }).unwrap();
            primitive.wait(&theirs, Some(until), Duration::from_millis(7));
        });
        let path = format!("/proc/{}/timerslack_ns", receiver.recv().unwrap());
        loop {
            match fs::read_to_string(&path) {
                Ok(slack) if slack.trim() == "7000000" => break,
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    println!("skipped: {path} can't be read without CAP_SYS_NICE");
                    break;
                }
                _ => assert!(!waiter.is_finished(), "it waited without this slack"),
            }
            thread::yield_now();
        }
        bell.ring();
        waiter.join().unwrap();
    }
}

/// The kernel may end a wait early, but seldom: waits that did not wait would be thousands.
#[test]
fn each_primitive_waits_until_the_instant() {
    for primitive in PRIMITIVES {
        if primitive == Primitive::WaitV && Primitive::detect() != primitive {
            println!("skipped: this kernel has no futex_waitv");
            continue;
        }
        let until = soon();
        let mut waits = 0;
        while clock::now() < until {
            primitive.wait(&Bell::default(), Some(until), Duration::ZERO);
            waits += 1;
        }
        assert!(waits < 100, "{primitive:?}: {waits} waits");
    }
}

#[test]
fn each_primitive_is_ended_by_the_bell_however_far_the_instant() {
    for primitive in PRIMITIVES {
        for until in [None, Some(Instant::MAX)] {
            let bell = Bell::default();
            let rings = bell.clone();
            let ringer = thread::spawn(move || rings.ring());
            while !bell.is_rung() {
                primitive.wait(&bell, until, Duration::ZERO);
            }
            ringer.join().unwrap();
        }
    }
}

#[test]
fn a_bell_stays_rung_until_it_is_hushed() {
    let os = Native::new();
    let bell = os.bell();
    os.ring(&bell);
    assert_eq!(os.wait(None, Duration::ZERO, &bell), Woken::ByBell);
    assert_eq!(os.wait(None, Duration::ZERO, &bell), Woken::ByBell);
    os.hush(&bell);
    assert_eq!(
        os.wait(Some(clock::now()), Duration::ZERO, &bell),
        Woken::ByTime
    );
}

#[test]
fn the_spin_returns_a_reading_that_is_not_early() {
    let os = super::System::detect().unwrap();
    for spin in [Spin::Pause, Spin::Yield] {
        for ahead in [0, 1, 500, 5_000, 50_000] {
            let until = clock::now() + Duration::from_nanos(ahead);
            assert!(os.spin_until(until, spin) >= until);
        }
        assert!(os.spin_until(Instant::ZERO, spin) > Instant::ZERO);
    }
}

/// Runs `child` in a fork of this process, which ends with its result, and waits for that for ten
/// seconds at most. The child may do nothing that another thread of this process could be in the
/// middle of: it allocates nothing and locks nothing.
fn status_of_fork(child: impl FnOnce() -> libc::c_int) -> Option<libc::c_int> {
    // SAFETY: the child does as little as is said above, and never returns from here.
    let process = unsafe { libc::fork() };
    assert!(process >= 0, "{}", std::io::Error::last_os_error());
    if process == 0 {
        let status = child();
        // SAFETY: ends the process at once: no destructor and no handler of the parent's runs.
        unsafe { libc::_exit(status) };
    }
    let mut status = 0;
    for _ in 0..10_000 {
        // SAFETY: `status` is valid for writing; the child is ours and nothing else waits for it.
        if unsafe { libc::waitpid(process, &raw mut status, libc::WNOHANG) } == process {
            return libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
        }
        thread::sleep(Duration::from_millis(1));
    }
    // SAFETY: the child has not been waited for, so the number is still its own.
    unsafe { libc::kill(process, libc::SIGKILL) };
    // SAFETY: as above.
    unsafe { libc::waitpid(process, &raw mut status, 0) };
    None
}

#[test]
fn a_fork_is_told_from_the_process_it_came_from() {
    for origin in [Origin::new(), Origin::by_number()] {
        assert!(!origin.is_forked());
        let status = status_of_fork(|| {
            // An origin made in the child knows the child.
            let own = Origin::by_number();
            i32::from(origin.is_forked() && !own.is_forked())
        });
        assert_eq!(status, Some(1), "{origin:?}");
        assert!(!origin.is_forked(), "the parent stays what it is");
    }
}
