//! Callbacks that would wait for their own driver.

use super::{Notes, at, driver, run};
use punctual::driver::DriverThread;
use punctual::{Driver, Native, Period, Sleeper, block_on};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

#[test]
fn a_driver_dropped_by_its_own_callback_shuts_down() {
    let driver = Driver::new().start().unwrap();
    let timers = driver.handle();
    let held = Arc::new(Mutex::new(Some(driver)));
    let (sender, receiver) = mpsc::channel();
    let theirs = Arc::clone(&held);
    let callback = move |_| {
        let driver: Option<DriverThread> = theirs.lock().unwrap().take();
        drop(driver);
        sender.send(()).unwrap();
    };
    timers.soon(callback).unwrap();
    receiver.recv().unwrap();
    assert!(timers.is_shut_down() && held.lock().unwrap().is_none());
    assert!(timers.soon(|_| ()).is_err());
}

/// Holds its own driver, which only the driver's thread drops, when it has been shut down.
#[test]
fn a_driver_dropped_by_a_callback_that_is_dropped_shuts_down() {
    let driver = Driver::new().start().unwrap();
    let timers = driver.handle();
    let (sender, receiver) = mpsc::channel::<()>();
    let callback = move |_| drop((driver, sender));
    let hour = Duration::from_secs(3_600);
    timers.after(hour, callback).unwrap();
    timers.shut_down();
    // The sender is dropped after the driver: that did not hang.
    assert!(receiver.recv().is_err());
}

#[test]
fn who_would_wait_for_itself_panics_instead() {
    let (os, driver, timers) = driver();
    let outcomes = Notes::default();
    let mut second = Driver::on(os.clone());
    let (notes, own, clock) = (outcomes.clone(), timers.clone(), os.clone());
    let free = move |_| {
        notes.push("what has come needs no wait");
        block_on(&clock, own.sleep_until(at(0))).unwrap();
        block_on(&clock, own.sleep_until(at(900))).unwrap();
        notes.push("never");
    };
    timers.once(at(100), free).unwrap();
    let (own, clock) = (timers.clone(), os.clone());
    let with_another = move |_| {
        let mut sleeper = Sleeper::on(clock.clone());
        second
            .block_on(&mut sleeper, own.ticker(Period::from_hertz(1_000)).next())
            .unwrap();
        second
            .block_on(
                &mut sleeper,
                own.timeout(Duration::from_secs(1), std::future::pending::<()>()),
            )
            .unwrap_err();
    };
    timers.once(at(200), with_another).unwrap();
    run(&os, driver, at(1_000));
    assert_eq!(outcomes.all(), ["what has come needs no wait"]);
    assert_eq!(timers.counters().panics, 2);
}

#[test]
fn a_callback_may_wait_for_another_driver() {
    let (first, second) = (
        Driver::new().start().unwrap(),
        Driver::new().start().unwrap(),
    );
    let (sender, receiver) = mpsc::channel();
    let other = second.handle();
    let callback = move |_| {
        let slept = block_on(&Native::new(), other.sleep(Duration::from_millis(1)));
        sender.send(slept.is_ok()).unwrap();
    };
    first.handle().soon(callback).unwrap();
    assert!(receiver.recv().unwrap());
}
