//! Awaited ticks: that they end, that they let others have a turn, and that their rate changes.

use super::{Count, MICROSECOND, at, driver};
use punctual::driver::{Handle, Ticks};
use punctual::os::VirtualOs;
use punctual::{MissedTicks, Os, Period, Schedule, Sleeper, Tick, block_on};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};

/// Ticks of 1 kHz from 1 ms on, none of which is left out.
fn millisecond(timers: &Handle<VirtualOs>) -> Ticks<VirtualOs> {
    let schedule = Schedule::new(at(1_000), Period::from_hertz(1_000));
    timers.ticks(schedule.with_missed_ticks(MissedTicks::Burst))
}

#[test]
fn they_end_with_the_driver_also_when_overdue() {
    let (os, _driver, timers) = driver();
    let mut ticks = millisecond(&timers);
    let mut context = Context::from_waker(Waker::noop());
    os.advance(10_000 * MICROSECOND);
    assert!(matches!(
        ticks.poll_next(&mut context),
        Poll::Ready(Some(_))
    ));
    timers.shut_down();
    for _ in 0..2 {
        assert_eq!(ticks.poll_next(&mut context), Poll::Ready(None));
    }
}

#[test]
fn a_task_that_is_always_overdue_lets_others_have_a_turn() {
    let (os, _driver, timers) = driver();
    let mut ticks = millisecond(&timers);
    let woken = Arc::new(Count::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    os.advance(10_000 * MICROSECOND);
    // The first is ready at once, and each that follows after a turn of the others.
    for turn in 0..5 {
        if turn > 0 {
            assert!(ticks.poll_next(&mut context).is_pending());
        }
        assert_eq!(woken.0.load(Ordering::Relaxed), turn);
        let Poll::Ready(Some(tick)) = ticks.poll_next(&mut context) else {
            panic!("tick {turn} is not ready");
        };
        assert_eq!(tick.index, u64::from(turn));
    }
    assert!(timers.is_empty(), "nobody waits for the driver");
}

#[test]
fn one_that_waited_needs_no_turn_of_others() {
    let (os, mut driver, timers) = driver();
    let mut ticks = millisecond(&timers);
    let mut sleeper = Sleeper::on(os.clone());
    for _ in 0..3 {
        driver.block_on(&mut sleeper, ticks.next()).unwrap();
        // Slower than its period, once each time.
        os.advance(1_500 * MICROSECOND);
        let mut context = Context::from_waker(Waker::noop());
        assert!(matches!(
            ticks.poll_next(&mut context),
            Poll::Ready(Some(_))
        ));
    }
}

fn next(os: &VirtualOs, ticks: &mut Ticks<VirtualOs>) -> Tick {
    block_on(os, ticks.next()).unwrap()
}

#[test]
fn the_rate_changes_within_a_period() {
    let (os, _driver, timers) = driver();
    let mut ticks = millisecond(&timers);
    assert_eq!(next(&os, &mut ticks).deadline, at(1_000));
    // Something waits already when the rate changes.
    let mut context = Context::from_waker(Waker::noop());
    assert!(pin!(ticks.next()).poll(&mut context).is_pending());
    os.advance(500 * MICROSECOND - os.now().duration_since(at(1_000)));
    ticks.set_period(250 * MICROSECOND);
    assert_eq!(ticks.period(), Period::from_hertz(4_000));
    // The other half of the period passes at the new rate, to within what the calls took.
    let tick = next(&os, &mut ticks);
    assert!(
        tick.deadline > at(1_624) && tick.deadline <= at(1_625),
        "{tick:?}"
    );
    assert_eq!(
        next(&os, &mut ticks).deadline,
        tick.deadline + 250 * MICROSECOND
    );
}

#[test]
fn who_paused_starts_again_and_missed_nothing() {
    let (os, _driver, timers) = driver();
    let mut ticks = timers.ticker(Period::from_hertz(1_000));
    next(&os, &mut ticks);
    os.advance(100_500 * MICROSECOND);
    ticks.restart();
    let again = next(&os, &mut ticks);
    assert_eq!((again.index, again.missed), (1, 0));
    assert!(again.lateness() < MICROSECOND);
    ticks.restart_at(at(200_000));
    assert_eq!(next(&os, &mut ticks).deadline, at(200_000));
    assert_eq!(next(&os, &mut ticks).deadline, at(201_000));
}

#[cfg(feature = "stream")]
#[test]
fn they_are_a_stream() {
    use futures_core::Stream;
    use std::pin::Pin;

    async fn next<S: Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
        std::future::poll_fn(|context| Pin::new(&mut *stream).poll_next(context)).await
    }

    let (os, _driver, timers) = driver();
    let mut ticks = millisecond(&timers);
    for index in 0..3 {
        let tick = block_on(&os, next(&mut ticks)).unwrap();
        assert_eq!(
            (tick.index, tick.deadline),
            (index, at(1_000 * (index + 1)))
        );
    }
    timers.shut_down();
    assert_eq!(block_on(&os, next(&mut ticks)), None);
}
