//! On this computer, from several threads. Nothing here looks at how fast it is.

mod soak;

use super::Notes;
use proptest::prelude::*;
use punctual::Window;
use punctual::driver::{Cancellation, DriverThread, Firing};
use punctual::{Driver, Native, Period, block_on};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

#[test]
fn a_callback_that_blocks_keeps_nothing_from_inserting_and_cancelling() {
    let driver = Driver::new().start().unwrap();
    let timers = driver.handle();
    let now = Native::new().now();
    let (started, has_started) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let blocking = timers.once(now, move |_| {
        started.send(()).unwrap();
        released.recv().unwrap();
    });
    let blocking = blocking.unwrap();
    has_started.recv().unwrap();
    // The driver's thread is in the callback, and stays there until this thread has done all that.
    assert_eq!(blocking.cancel(), Cancellation::UnderWay);
    let other = timers.once(now, |_| panic!("it was cancelled")).unwrap();
    assert_eq!(other.cancel(), Cancellation::Prevented);
    let called = Notes::default();
    let notes = called.clone();
    timers.once(now, move |_| notes.push(())).unwrap();
    assert_eq!(called.all().len(), 0);
    release.send(()).unwrap();
    while called.all().is_empty() {
        thread::yield_now();
    }
    driver.shut_down().unwrap();
    assert_eq!(timers.counters().panics, 0);
}

#[test]
fn an_earlier_timer_ends_the_drivers_sleep() {
    let driver = Driver::new().start().unwrap();
    let timers = driver.handle();
    let now = Native::new().now();
    timers
        .once(now + Duration::from_secs(3_600), |_| ())
        .unwrap();
    let (sender, receiver) = mpsc::channel();
    // The second time it sleeps for ever at first.
    for _ in 0..2 {
        let sender = sender.clone();
        let soon = Native::new().now() + Duration::from_millis(1);
        timers
            .once(soon, move |firing| sender.send(firing.woke).unwrap())
            .unwrap();
        assert!(receiver.recv().unwrap() >= soon);
    }
    driver.shut_down().unwrap();
}

#[test]
fn futures_run_on_any_executor() {
    let driver = Driver::new().start().unwrap();
    let timers = driver.handle();
    let mut ticks = timers.ticker(Period::from_hertz(2_000));
    let seen = block_on(&Native::new(), async {
        let mut seen = Vec::new();
        while seen.len() < 5 {
            seen.push(ticks.next().await.unwrap());
        }
        seen
    });
    assert!(seen.iter().all(|tick| tick.woke >= tick.deadline));
    assert!(seen.windows(2).all(|pair| pair[0].index < pair[1].index));
}

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Every callback is called once or was cancelled, and never both, whoever is faster.
    #[test]
    fn from_many_threads_nothing_is_lost_and_nothing_comes_twice(
        plans in prop::collection::vec(
            prop::collection::vec((0_u64..3_000, 0_u64..500, any::<bool>(), any::<bool>()), 1..60),
            1..5,
        ),
    ) {
        let driver = Driver::new().start().unwrap();
        let timers = driver.handle();
        let inserters: Vec<_> = plans
            .into_iter()
            .map(|plan| {
                let timers = timers.clone();
                thread::spawn(move || {
                    let mut inserted = Vec::new();
                    for (micros, width, cancel, relocate) in plan {
                        let calls = Arc::new(AtomicU32::new(0));
                        let counted = Arc::clone(&calls);
                        let callback = move |firing: Firing| {
                            assert!(firing.woke >= firing.window.earliest());
                            counted.fetch_add(1, Ordering::Relaxed);
                        };
                        let deadline = Native::new().now() + Duration::from_micros(micros);
                        let window = Window::tolerating(deadline, Duration::from_micros(width));
                        let timer = timers.once(window, callback).unwrap();
                        if relocate {
                            timer.reschedule(deadline + Duration::from_micros(width));
                        }
                        let cancelled = cancel.then(|| timer.cancel());
                        inserted.push((calls, cancelled));
                    }
                    inserted
                })
            })
            .collect();
        let inserted: Vec<_> = inserters.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        while !timers.is_empty() {
            thread::yield_now();
        }
        driver.shut_down().unwrap();
        for (calls, cancelled) in inserted {
            let expected = u32::from(cancelled != Some(Cancellation::Prevented));
            prop_assert_eq!(calls.load(Ordering::Relaxed), expected, "{:?}", cancelled);
        }
        prop_assert_eq!(timers.counters().panics, 0);
    }
}
