//! After `fork`: the child has a copy of the shared driver and none of its threads.

#![allow(unsafe_code, reason = "fork and what goes with it")]

use punctual::{Native, block_on};
use punctual_tokio::{Duration, Instant, Sleep, sleep};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

/// A child that takes longer than this hangs.
const LONGEST_SECONDS: u32 = 60;

/// Whether something succeeds in a fork of this process.
fn succeeds_in_child(body: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child runs only code that takes no lock but the allocator's, which glibc hands over, and
    // ends without running anything of its parent's.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no process to be had");
    if child == 0 {
        // SAFETY: has no preconditions. A child that hangs is ended by it.
        unsafe { libc::alarm(LONGEST_SECONDS) };
        let status = if body() { 0 } else { 1 };
        // SAFETY: ends the process at once; no destructor of the parent's runs.
        unsafe { libc::_exit(status) }
    }
    let mut status = 0;
    // SAFETY: `status` is valid for writing, and the child is ours.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    ended == child && libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
}

/// Sleeps without a runtime: its threads would be the parent's too.
fn nap(sleep: Sleep) -> bool {
    let deadline = sleep.deadline();
    block_on(&Native::new(), sleep);
    Instant::now() >= deadline
}

#[test]
fn a_child_gets_a_driver_of_its_own() {
    let short = Duration::from_millis(2);
    assert!(nap(sleep(short)));
    // A sleep of the parent's that was polled already goes on in the child.
    let mut begun = sleep(short);
    let mut context = Context::from_waker(Waker::noop());
    let _ = pin!(&mut begun).poll(&mut context);
    assert!(succeeds_in_child(|| {
        nap(begun) && nap(sleep(short)) && succeeds_in_child(|| nap(sleep(short)))
    }));
    assert!(nap(sleep(short)), "the parent's goes on");
}
