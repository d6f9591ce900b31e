//! Callbacks that repeat: no drift, what becomes of missed periods, cancelling, moving, panics.

use super::{MICROSECOND, Notes, at, driver, run};
use punctual::Window;
use punctual::driver::{Cancellation, Counters, Timer};
use punctual::os::VirtualOs;
use punctual::{Driver, Instant, MissedTicks, Period, Schedule, Tick};
use std::sync::{Arc, Mutex};

fn millisecond() -> Period {
    Period::from_hertz(1_000)
}

#[test]
fn ticks_do_not_drift_and_are_never_early() {
    let os = VirtualOs::waking(|until| until + 33 * MICROSECOND);
    let driver = Driver::on(os.clone());
    let timers = driver.handle();
    let period = Period::from_hertz_fraction(30_000, 1_001);
    let start = at(100);
    let last: u16 = if cfg!(miri) { 100 } else { 30_000 };
    let notes = Notes::default();
    let ticks = notes.clone();
    let schedule = Schedule::new(start, period);
    timers
        .repeat(schedule, move |tick| ticks.push(tick))
        .unwrap();
    run(
        &os,
        driver,
        period.deadline(start, last.into()).unwrap() + MICROSECOND,
    );
    let ticks = notes.all();
    assert_eq!(ticks.len(), usize::from(last) + 1);
    for (index, tick) in (0..).zip(&ticks) {
        assert_eq!((tick.index, tick.missed), (index, 0));
        assert_eq!(Some(tick.deadline), period.deadline(start, index));
        assert!(tick.woke >= tick.deadline);
    }
}

/// The ticks of a callback of 1 kHz whose third call takes three and a half periods.
fn ticks_with_one_long_call(policy: MissedTicks) -> (Vec<(u64, u64, u64)>, Counters) {
    let (os, driver, timers) = driver();
    let notes = Notes::default();
    let (ticks, clock) = (notes.clone(), os.clone());
    let schedule = Schedule::new(at(1_000), millisecond()).with_missed_ticks(policy);
    let callback = move |tick: Tick| {
        if tick.index == 2 {
            clock.advance(3_500 * MICROSECOND);
        }
        ticks.push((tick.index, tick.woke.as_nanos() / 1_000, tick.missed));
    };
    timers.repeat(schedule, callback).unwrap();
    run(&os, driver, at(8_700));
    (notes.all(), timers.counters())
}

#[test]
fn policies_say_what_becomes_of_missed_periods() {
    let (burst, counters) = ticks_with_one_long_call(MissedTicks::Burst);
    assert_eq!(
        burst,
        [
            (0, 1_000, 0),
            (1, 2_000, 0),
            (2, 3_000, 0),
            (3, 6_500, 0),
            (4, 6_500, 0),
            (5, 6_500, 0),
            (6, 7_000, 0),
            (7, 8_000, 0)
        ]
    );
    assert_eq!((counters.missed, counters.overruns), (0, 1));

    let (skip, counters) = ticks_with_one_long_call(MissedTicks::Skip);
    let expected = [
        (0, 1_000, 0),
        (1, 2_000, 0),
        (2, 3_000, 0),
        (5, 6_500, 2),
        (6, 7_000, 0),
        (7, 8_000, 0),
    ];
    assert_eq!(skip, expected);
    assert_eq!((counters.missed, counters.overruns), (2, 1));

    let (delay, counters) = ticks_with_one_long_call(MissedTicks::Delay);
    let expected = [
        (0, 1_000, 0),
        (1, 2_000, 0),
        (2, 3_000, 0),
        (3, 6_500, 2),
        (4, 7_500, 0),
        (5, 8_500, 0),
    ];
    assert_eq!(delay, expected);
    assert_eq!((counters.missed, counters.overruns), (2, 1));
}

#[test]
fn tolerant_ticks_stay_within_their_windows() {
    // A system that uses up all of the tolerance there is here.
    let os = VirtualOs::waking(|until| until + 190 * MICROSECOND);
    let driver = Driver::on(os.clone());
    let timers = driver.handle();
    let schedule = Schedule::new(at(1_000), millisecond());
    let notes = Notes::default();
    let ticks = notes.clone();
    timers
        .tolerating(200 * MICROSECOND)
        .repeat(schedule, move |tick| ticks.push(tick))
        .unwrap();
    run(&os, driver, at(100_000));
    let ticks = notes.all();
    assert_eq!(ticks.len(), 99);
    assert!(
        ticks
            .iter()
            .all(|tick| tick.missed == 0 && tick.lateness() <= 200 * MICROSECOND)
    );
    assert_eq!(timers.counters().late, 0);
}

#[test]
fn one_that_cancels_itself_is_not_called_again() {
    let (os, driver, timers) = driver();
    let outcomes = Notes::default();
    let notes = outcomes.clone();
    let itself: Arc<Mutex<Option<Timer<VirtualOs>>>> = Arc::default();
    let own = Arc::clone(&itself);
    let timer = timers.every(millisecond(), move |tick| {
        if tick.index == 3 {
            notes.push(own.lock().unwrap().as_ref().unwrap().cancel());
        }
    });
    let timer = timer.unwrap();
    *itself.lock().unwrap() = Some(timer.clone());
    run(&os, driver, at(10_000));
    assert_eq!(outcomes.all(), [Cancellation::UnderWay]);
    assert_eq!(timer.cancel(), Cancellation::TooLate);
    assert_eq!(timers.counters().fired, 4 + 1);
}

#[test]
fn one_that_moves_itself_starts_again_there_and_numbers_on() {
    let (os, driver, timers) = driver();
    let notes = Notes::default();
    let ticks = notes.clone();
    let itself: Arc<Mutex<Option<Timer<VirtualOs>>>> = Arc::default();
    let own = Arc::clone(&itself);
    let timer = timers.repeat(Schedule::new(at(1_000), millisecond()), move |tick| {
        ticks.push((tick.index, tick.deadline));
        if tick.index == 1 {
            let window = Window::tolerating(at(5_300), MICROSECOND);
            assert!(own.lock().unwrap().as_ref().unwrap().reschedule(window));
        }
    });
    *itself.lock().unwrap() = timer.ok();
    run(&os, driver, at(7_000));
    let expected = [
        (0, at(1_000)),
        (1, at(2_000)),
        (2, at(5_300)),
        (3, at(6_300)),
    ];
    assert_eq!(notes.all(), expected);
}

#[test]
fn one_that_panics_is_dropped_and_not_called_again() {
    let (os, driver, timers) = driver();
    let held = Arc::new(());
    let theirs = Arc::clone(&held);
    let timer = timers.every(millisecond(), move |tick| {
        let _ = &theirs;
        assert!(tick.index < 2, "on purpose");
    });
    let others = Notes::default();
    let notes = others.clone();
    timers
        .every(millisecond(), move |tick| notes.push(tick.index))
        .unwrap();
    run(&os, driver, at(4_500));
    assert_eq!(others.all(), [0, 1, 2, 3, 4]);
    assert_eq!(timers.counters().panics, 1);
    assert_eq!(Arc::strong_count(&held), 1);
    assert_eq!(timer.unwrap().cancel(), Cancellation::TooLate);
}

#[test]
fn the_end_of_time_ends_it() {
    let (os, driver, timers) = driver();
    let held = Arc::new(());
    let theirs = Arc::clone(&held);
    let last = Instant::from_nanos(u64::MAX - 500_000);
    let schedule = Schedule::new(last, millisecond());
    let callback = move |_| assert_eq!(Arc::strong_count(&theirs), 2);
    timers.repeat(schedule, callback).unwrap();
    run(&os, driver, Instant::MAX);
    assert_eq!((timers.counters().fired, timers.counters().panics), (2, 0));
    assert_eq!(Arc::strong_count(&held), 1);
    assert!(timers.is_empty());
}
