//! Shutting down, and dropping: what becomes of those who wait, and of their destructors.

use super::{Notes, at, driver};
use punctual::driver::{Cancellation, Handle, ShutDown};
use punctual::os::VirtualOs;
use punctual::{Period, Sleeper, block_on};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Something a callback holds, whose destructor uses the driver.
struct Meddler {
    name: u32,
    timers: Handle<VirtualOs>,
    notes: Notes<u32>,
    panics: bool,
}

impl Drop for Meddler {
    fn drop(&mut self) {
        self.notes.push(self.name);
        let _ = self.timers.counters();
        let inserted = self.timers.once(at(0), |_| ());
        if let Ok(timer) = inserted {
            timer.cancel();
        }
        assert!(!self.panics, "on purpose");
    }
}

fn meddlers(timers: &Handle<VirtualOs>, panics: bool) -> Notes<u32> {
    let notes = Notes::default();
    for name in [300, 100, 200] {
        let meddler = Meddler {
            name,
            timers: timers.clone(),
            notes: notes.clone(),
            panics,
        };
        let callback = move |_| drop(meddler);
        timers.once(at(u64::from(name)), callback).unwrap();
    }
    notes
}

#[test]
fn what_waits_is_dropped_in_order_and_uncalled() {
    let (os, driver, timers) = driver();
    let notes = meddlers(&timers, false);
    let stop = timers.clone();
    timers.once(at(50), move |_| stop.shut_down()).unwrap();
    driver.run(&mut Sleeper::on(os));
    assert_eq!(notes.all(), [100, 200, 300]);
    assert_eq!((timers.counters().fired, timers.len()), (1, 0));
    assert_eq!(timers.once(at(0), |_| ()).err(), Some(ShutDown));
    assert_eq!(
        timers.every(Period::from_hertz(1), |_| ()).err(),
        Some(ShutDown)
    );
    assert!(timers.is_shut_down());
}

#[test]
fn a_driver_that_is_dropped_is_shut_down() {
    let (_, driver, timers) = driver();
    let notes = meddlers(&timers, false);
    let waiting = timers.once(at(400), |_| ()).unwrap();
    drop(driver);
    assert_eq!(notes.all(), [100, 200, 300]);
    assert_eq!(waiting.cancel(), Cancellation::TooLate);
}

#[test]
fn destructors_that_panic_stop_nothing() {
    let (_, driver, timers) = driver();
    let notes = meddlers(&timers, true);
    drop(driver);
    assert_eq!(notes.all(), [100, 200, 300]);
    assert_eq!(timers.counters().panics, 3);
}

#[test]
fn a_destructor_that_uses_the_driver_may_be_run_by_whoever_cancels() {
    let (_, _driver, timers) = driver();
    let notes = Notes::default();
    let meddler = Meddler {
        name: 1,
        timers: timers.clone(),
        notes: notes.clone(),
        panics: false,
    };
    let timer = timers.once(at(1), move |_| drop(meddler)).unwrap();
    assert_eq!(timer.cancel(), Cancellation::Prevented);
    assert_eq!(notes.all(), [1]);
}

#[test]
fn futures_that_wait_are_woken_and_fail() {
    let (os, driver, timers) = driver();
    let mut context = Context::from_waker(Waker::noop());
    let mut sleep = pin!(timers.sleep_until(at(1_000_000)));
    let mut ticks = timers.ticker(Period::from_hertz(1));
    assert!(matches!(
        ticks.poll_next(&mut context),
        Poll::Ready(Some(_))
    ));
    assert!(ticks.poll_next(&mut context).is_pending());
    assert!(sleep.as_mut().poll(&mut context).is_pending());
    assert_eq!(timers.len(), 2);
    drop(driver);
    assert_eq!(
        sleep.as_mut().poll(&mut context),
        Poll::Ready(Err(ShutDown))
    );
    assert_eq!(ticks.poll_next(&mut context), Poll::Ready(None));
    assert_eq!(
        block_on(&os, timers.sleep_until(at(2_000_000))),
        Err(ShutDown)
    );
}

#[test]
fn what_holds_the_drivers_own_handle_is_freed_with_it() {
    let (_, driver, timers) = driver();
    let held = Arc::new(());
    let (theirs, own) = (Arc::clone(&held), timers.clone());
    let callback = move |_| drop((theirs, own));
    timers.once(at(1), callback).unwrap();
    drop((driver, timers));
    assert_eq!(Arc::strong_count(&held), 1);
}
