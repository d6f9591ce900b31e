//! The driver on every Windows.

use super::{MILLISECOND, on, on_every_version};
use punctual::Window;
use punctual::driver::{Cancellation, Counters};
use punctual::os::windows::WindowsOs;
use punctual::{Driver, Os, Period, Schedule, Sleeper, Tick, block_on};
use punctual_sim::windows::SimWin32;
use punctual_windows::os::windows::Win32Lab;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);

/// Calls back every 33.3 ms for ten seconds, which the default budget pays the spin of a tick for.
fn thirty_hertz(win32: SimWin32) -> Vec<Tick> {
    let os = WindowsOs::on(win32);
    let driver = Driver::on(os.clone()).start().unwrap();
    let ticks = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&ticks);
    let period = Period::from_hertz(30);
    let callback = move |tick| notes.lock().unwrap().push(tick);
    driver.handle().every(period, callback).unwrap();
    Sleeper::on(os).sleep(Duration::from_millis(9_980));
    driver.shut_down().unwrap();
    Arc::try_unwrap(ticks).unwrap().into_inner().unwrap()
}

#[test]
fn callbacks_are_precise_and_do_not_drift() {
    on_every_version(|win32| {
        let ticks = thirty_hertz(win32);
        assert_eq!(ticks.len(), 300);
        let period = Period::from_hertz(30);
        for (index, tick) in (0..).zip(&ticks) {
            assert_eq!((tick.index, tick.missed), (index, 0));
            let expected = period.deadline(ticks[0].deadline, index);
            assert_eq!(Some(tick.deadline), expected);
            assert!(tick.woke >= tick.deadline);
        }
        let late = ticks
            .iter()
            .filter(|tick| tick.lateness() > 2 * MICROSECOND);
        // 1 % and what it takes to learn the margin.
        let late = late.count();
        assert!(late < 20, "{late} of 300 late");
    });
}

#[test]
fn the_same_machine_is_the_same_run() {
    for version in ["windows-xp", "windows-11"] {
        assert_eq!(on(version, thirty_hertz), on(version, thirty_hertz));
    }
}

/// Ten seconds of five callbacks with this tolerance.
fn tolerating(win32: SimWin32, tolerance: Duration) -> Counters {
    let os = WindowsOs::on(win32);
    let driver = Driver::on(os.clone()).start().unwrap();
    let timers = driver.handle();
    let begin = os.now();
    for millis in [100, 113, 127, 131, 149] {
        let period = Period::try_from(millis * MILLISECOND).unwrap();
        let schedule = Schedule::new(begin, period);
        timers
            .tolerating(tolerance)
            .repeat(schedule, |_| ())
            .unwrap();
    }
    let mut sleeper = Sleeper::on(os);
    for _ in 0..100 {
        sleeper.sleep_within(Window::tolerating(
            sleeper.os().now() + 99 * MILLISECOND,
            20 * MILLISECOND,
        ));
        if tolerance >= 20 * MILLISECOND {
            assert_eq!(win32.smallest_request(), None, "nobody needs precision");
        }
    }
    driver.shut_down().unwrap();
    timers.counters()
}

#[test]
fn tolerance_of_a_tick_or_more_needs_no_request_and_is_kept() {
    on_every_version(|win32| {
        let counters = tolerating(win32, 50 * MILLISECOND);
        assert!(counters.fired > 350, "{counters:?}");
        assert_eq!(counters.missed, 0, "{counters:?}");
        // The default late rate is 1 %.
        assert!(counters.late * 100 <= counters.fired, "{counters:?}");
    });
}

#[test]
fn an_earlier_timer_and_a_cancelled_one_from_other_threads() {
    on_every_version(|win32| {
        let os = WindowsOs::on(win32);
        let driver = Driver::on(os.clone()).start().unwrap();
        let timers = driver.handle();
        let hour = os.now() + Duration::from_secs(3_600);
        let never = timers.once(hour, |_| panic!("it was cancelled")).unwrap();
        let (handle, clock) = (timers.clone(), os.clone());
        let body = move || {
            for _ in 0..20 {
                win32.sleep(7);
                let soon = clock.now() + 3 * MILLISECOND;
                let check = move |firing: punctual::driver::Firing| assert!(firing.woke >= soon);
                handle.once(soon, check).unwrap();
            }
        };
        let inserter = os.spawn("inserter", Box::new(body)).unwrap();
        inserter.join(&os).unwrap();
        win32.sleep(50);
        assert_eq!(never.cancel(), Cancellation::Prevented);
        let counters = timers.counters();
        assert_eq!((counters.fired, counters.panics), (20, 0));
        driver.shut_down().unwrap();
        assert_eq!(win32.smallest_request(), None, "nothing is left behind");
    });
}

#[test]
fn futures_run_there_too() {
    on_every_version(|win32| {
        let os = WindowsOs::on(win32);
        let driver = Driver::on(os.clone()).start().unwrap();
        let timers = driver.handle();
        let deadline = os.now() + 40 * MILLISECOND;
        let woke = block_on(&os, async {
            timers.sleep(10 * MILLISECOND).await.unwrap();
            timers.sleep_until(deadline).await.unwrap()
        });
        assert!(woke >= deadline);
    });
}
