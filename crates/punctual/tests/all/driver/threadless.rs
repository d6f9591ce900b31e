//! Drivers that nothing runs, on a machine whose one thread waits for them.

use super::{Notes, at, driver};
use punctual::os::VirtualOs;
use punctual::{Driver, Instant, Os, block_on};
use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

#[test]
fn what_waits_for_them_makes_the_time_pass() {
    let (os, _driver, timers) = driver();
    let other = Driver::on(os.clone());
    let notes = Notes::default();
    for (timers, micros) in [(&timers, 300), (&other.handle(), 200), (&timers, 100)] {
        let notes = notes.clone();
        timers
            .once(at(micros), move |_| notes.push(micros))
            .unwrap();
    }
    let woke = block_on(&os, timers.sleep_until(at(250))).unwrap();
    assert!(woke >= at(250) && woke < at(251));
    assert_eq!(notes.all(), [100, 200]);
}

#[test]
fn they_are_as_late_as_the_machine_is() {
    let os = VirtualOs::waking(|until| until + Duration::from_micros(20));
    let driver = Driver::on(os.clone());
    let woke = block_on(&os, driver.handle().sleep_until(at(100))).unwrap();
    assert!(woke >= at(120) && woke < at(121));
}

#[test]
fn a_machine_that_wakes_too_early_gets_there() {
    let os = VirtualOs::waking(|until| Instant::from_nanos(until.as_nanos() - 400));
    let driver = Driver::on(os.clone());
    assert!(block_on(&os, driver.handle().sleep_until(at(100))).unwrap() >= at(100));
}

#[test]
fn one_that_was_shut_down_tells_who_waits() {
    let (os, _driver, timers) = driver();
    let stop = timers.clone();
    timers.once(at(100), move |_| stop.shut_down()).unwrap();
    assert!(block_on(&os, timers.sleep_until(at(200))).is_err());
    assert!(os.now() < at(200) && timers.is_empty());
}

#[test]
fn a_wait_for_nothing_says_what_to_do() {
    let (os, driver, timers) = driver();
    let waits = catch_unwind(AssertUnwindSafe(|| block_on(&os, pending::<()>())));
    let message = *waits.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("punctual-sim"), "{message}");
    let started = driver.start().map(drop).unwrap_err();
    assert!(started.to_string().contains("punctual-sim"), "{started}");
    assert!(timers.is_shut_down());
}
