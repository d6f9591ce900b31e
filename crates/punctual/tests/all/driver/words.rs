//! What the handle has a word for: soon, after, a tolerance, a callback that ends itself, a timeout.

use super::{MICROSECOND, Notes, at, driver, run};
use punctual::Window;
use punctual::driver::{Cancellation, Firing, ShutDown, TimedOut};
use punctual::{Instant, Os, Period, Schedule, block_on};
use std::future::{pending, ready};
use std::ops::ControlFlow;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

#[test]
fn soon_comes_in_its_turn_and_is_never_late() {
    let (os, driver, timers) = driver();
    os.advance(500 * MICROSECOND);
    let order = Notes::default();
    let note = |name: &'static str| {
        let order = order.clone();
        move |_: Firing| order.push(name)
    };
    timers.soon(note("first")).unwrap();
    timers.after(Duration::ZERO, note("second")).unwrap();
    timers.once(at(100), note("overdue")).unwrap();
    timers.every(Period::from_hertz(1_000), |_| ()).unwrap();
    os.advance(300 * MICROSECOND);
    timers.reset_counters();
    run(&os, driver, at(1_200));
    assert_eq!(order.all(), ["overdue", "first", "second"]);
    let counters = timers.counters();
    assert_eq!((counters.fired, counters.late), (5, 1), "{counters:?}");
    assert!(
        counters.worst_excess >= 700 * MICROSECOND
            && counters.worst_excess < at(701) - Instant::ZERO
    );
}

#[test]
fn counters_begin_anew() {
    let (os, mut driver, timers) = driver();
    os.advance(500 * MICROSECOND);
    timers.once(Instant::ZERO, |_| ()).unwrap();
    driver.run_due();
    let before = timers.reset_counters();
    assert_eq!((before.fired, before.late), (1, 1));
    assert_eq!(timers.counters(), Default::default());
}

#[test]
fn lateness_is_counted_from_the_deadline_and_excess_from_the_end_of_the_window() {
    let (os, mut driver, timers) = driver();
    let firings = Notes::default();
    let notes = firings.clone();
    let window = Window::from(at(100)..=at(150));
    timers
        .once(window, move |firing| notes.push(firing))
        .unwrap();
    os.advance(170 * MICROSECOND);
    driver.run_due();
    let firing = firings.all()[0];
    assert_eq!(firing.deadline(), at(100));
    assert_eq!(firing.lateness().as_micros(), 70);
    assert_eq!(firing.excess().as_micros(), 20);
}

#[test]
fn a_tolerance_goes_for_whatever_has_no_window() {
    let (_, mut driver, timers) = driver();
    let timers = timers.tolerating(50 * MICROSECOND);
    let tolerant = Window::from(at(100)..=at(150));
    let mut wakeup = |insert: &dyn Fn()| {
        insert();
        driver.next_wakeup().unwrap().latest()
    };
    let timer = timers.once(at(100), |_| ()).unwrap();
    assert_eq!(wakeup(&|| ()), tolerant.latest());
    assert_eq!(wakeup(&|| assert!(timer.reschedule(at(200)))), at(250));
    assert_eq!(
        wakeup(&|| assert!(timer.reschedule(at(210)..=at(215)))),
        at(215)
    );
    assert_eq!(timers.sleep_until(at(100)).window(), tolerant);
    assert_eq!(
        timers.sleep_until(Window::from(at(1))).window(),
        at(1).into()
    );
    assert_eq!(timers.clone().tolerance(), 50 * MICROSECOND);
    let sleep = timers.sleep(100 * MICROSECOND).window();
    assert_eq!(sleep.latest() - sleep.earliest(), 50 * MICROSECOND);
}

#[test]
fn a_callback_ends_itself() {
    let (os, driver, timers) = driver();
    let calls = Notes::default();
    let notes = calls.clone();
    let schedule = Schedule::new(at(100), 100 * MICROSECOND);
    let timer = timers.repeat(schedule, move |tick| {
        notes.push(tick.index);
        if tick.index < 2 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    run(&os, driver, at(1_000));
    assert_eq!(calls.all(), [0, 1, 2]);
    assert_eq!(timer.unwrap().cancel(), Cancellation::TooLate);
    assert_eq!(timers.counters().panics, 0);
}

#[test]
fn a_repeating_callback_changes_its_rate() {
    let (os, mut driver, timers) = driver();
    let once = timers.once(at(10), |_| ()).unwrap();
    assert!(
        !once.set_period(Period::from_hertz(1)),
        "it does not repeat"
    );
    let schedule = Schedule::new(at(100), 100 * MICROSECOND);
    let ticks = Notes::default();
    let notes = ticks.clone();
    let timer = timers.repeat(schedule, move |tick| notes.push(tick.deadline));
    let timer = timer.unwrap();
    os.advance(150 * MICROSECOND);
    driver.run_due();
    os.advance(at(150).duration_since(os.now()));
    assert!(timer.set_period(1_000 * MICROSECOND));
    let next = driver.next_wakeup().unwrap().earliest();
    assert!(next >= at(649) && next <= at(650), "{next:?}");
    assert_eq!(timer.cancel(), Cancellation::Prevented);
    assert!(!timer.set_period(Period::from_hertz(1)));
    assert_eq!(ticks.all(), [at(100)]);
}

#[test]
fn a_sleep_is_put_off() {
    let (os, mut driver, timers) = driver();
    let mut sleep = timers.sleep_until(at(100));
    let mut context = Context::from_waker(Waker::noop());
    assert!(pin!(&mut sleep).poll(&mut context).is_pending());
    sleep.reset(at(300));
    assert_eq!(driver.next_wakeup(), Some(at(300).into()));
    sleep.reset(at(200));
    assert_eq!(driver.next_wakeup(), Some(at(200).into()));
    let woke = block_on(&os, &mut sleep).unwrap();
    assert!(woke >= at(200) && woke < at(201));
    sleep.reset(at(400));
    assert!(block_on(&os, &mut sleep).unwrap() >= at(400));
}

#[test]
fn a_future_gets_so_much_time() {
    let (os, driver, timers) = driver();
    let in_time = timers.timeout(100 * MICROSECOND, ready(7));
    assert_eq!(block_on(&os, in_time), Ok(7));
    let slower = timers.timeout(100 * MICROSECOND, timers.sleep_until(at(99)));
    assert!(block_on(&os, slower).unwrap().is_ok());
    let never = timers.timeout_at(at(5_000), pending::<()>());
    assert_eq!(block_on(&os, never), Err(TimedOut::Elapsed));
    assert!(os.now() >= at(5_000) && timers.is_empty());
    // Whoever is ready at the same time wins.
    let both = timers.timeout_at(at(1), ready(8));
    assert_eq!(block_on(&os, both), Ok(8));
    let mut left = pin!(timers.timeout_at(at(9_000), pending::<()>()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(left.as_mut().poll(&mut context).is_pending());
    drop(driver);
    let ended = left.as_mut().poll(&mut context);
    assert_eq!(ended, Poll::Ready(Err(TimedOut::from(ShutDown))));
}
