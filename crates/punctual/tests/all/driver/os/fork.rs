//! After `fork`: the child has a copy of the driver and none of its threads.

#![allow(unsafe_code, reason = "fork and what goes with it")]

use punctual::driver::{Cancellation, DriverThread, Handle, ShutDown, Sleep, Timer};
use punctual::{Driver, Native, Period, Sleeper, block_on};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// A child that takes longer than this hangs.
const LONGEST: Duration = Duration::from_secs(60);

/// Runs something in a fork of this process. `None` if it hung.
fn in_child(body: impl FnOnce() -> bool) -> Option<bool> {
    // SAFETY: the child runs only code that takes no lock but the allocator's, which glibc hands
    // over, and ends without running anything of its parent's.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no process to be had");
    if child == 0 {
        let status = if body() { 0 } else { 1 };
        // SAFETY: ends the process at once; no destructor of the parent's runs.
        unsafe { libc::_exit(status) }
    }
    let began = Instant::now();
    loop {
        let mut status = 0;
        // SAFETY: `status` is valid for writing, and the child is ours.
        let ended = unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) };
        if ended == child {
            return Some(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0);
        }
        if began.elapsed() > LONGEST {
            // SAFETY: the child is ours, and was not waited for yet.
            unsafe { libc::kill(child, libc::SIGKILL) };
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// What the parent had of a driver that was started.
struct Kept {
    driver: DriverThread,
    timers: Handle,
    timer: Timer,
    sleep: Sleep,
}

impl Kept {
    fn new() -> Self {
        let driver = Driver::new().start().unwrap();
        let timers = driver.handle();
        let hour = Duration::from_secs(3_600);
        let timer = timers.after(hour, |_| ()).unwrap();
        let mut sleep = timers.sleep(hour);
        let mut context = Context::from_waker(Waker::noop());
        assert!(pin!(&mut sleep).poll(&mut context).is_pending());
        Self {
            driver,
            timers,
            timer,
            sleep,
        }
    }

    /// In the child: everything is refused, and nothing waits.
    fn has_ended(mut self) -> bool {
        let timers = &self.timers;
        let mut context = Context::from_waker(Waker::noop());
        let refused = timers.soon(|_| ()).is_err()
            && timers.every(Period::from_hertz(1), |_| ()).is_err()
            && timers.is_shut_down()
            && timers.is_empty()
            && timers.counters().fired == 0;
        let waits_no_more = pin!(&mut self.sleep).poll(&mut context) == Poll::Ready(Err(ShutDown))
            && timers.ticker(Period::from_hertz(1)).poll_next(&mut context) == Poll::Ready(None);
        let gone = self.timer.cancel() == Cancellation::TooLate
            && !self.timer.reschedule(timers.now())
            && !self.timer.set_period(Period::from_hertz(1));
        timers.shut_down();
        let ended = self.driver.shut_down().is_ok();
        drop(self.sleep);
        refused && waits_no_more && gone && ended
    }
}

#[test]
fn in_a_child_a_driver_that_was_started_is_shut_down() {
    // While others have its locks now and then.
    let is_over = Arc::new(AtomicBool::new(false));
    for _ in 0..10 {
        let kept = Kept::new();
        let busy: Vec<_> = (0..3)
            .map(|_| {
                let (timers, is_over) = (kept.timers.clone(), Arc::clone(&is_over));
                thread::spawn(move || {
                    while !is_over.load(Ordering::Relaxed) && !timers.is_shut_down() {
                        let _ = timers
                            .after(Duration::from_secs(1), |_| ())
                            .map(|timer| timer.cancel());
                    }
                })
            })
            .collect();
        let timers = kept.timers.clone();
        let (theirs, ours) = (Kept::new(), kept);
        assert_eq!(
            in_child(move || theirs.has_ended() && ours.has_ended()),
            Some(true)
        );
        timers.shut_down();
        busy.into_iter().for_each(|thread| thread.join().unwrap());
    }
}

#[test]
fn a_driver_that_nothing_started_yet_runs_in_the_child() {
    let driver = Driver::new();
    let timers = driver.handle();
    let stop = timers.clone();
    timers
        .after(Duration::from_millis(1), move |_| stop.shut_down())
        .unwrap();
    let ran = in_child(move || {
        driver.run(&mut Sleeper::new());
        timers.counters().fired == 1
    });
    assert_eq!(ran, Some(true));
}

#[test]
fn a_child_may_start_one_of_its_own() {
    let _parents = Driver::new().start().unwrap();
    let ran = in_child(|| {
        let Ok(driver) = Driver::new().start() else {
            return false;
        };
        let slept = block_on(
            &Native::new(),
            driver.handle().sleep(Duration::from_millis(1)),
        );
        slept.is_ok() && driver.shut_down().is_ok()
    });
    assert_eq!(ran, Some(true));
}
