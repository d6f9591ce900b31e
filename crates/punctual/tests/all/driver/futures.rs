//! Futures in virtual time, on one thread: [`Driver::block_on`] is their executor.

use super::{Count, MICROSECOND, Notes, at, driver};
use punctual::Window;
use punctual::driver::Handle;
use punctual::os::VirtualOs;
use punctual::{Driver, MissedTicks, Os, Period, Schedule, Sleeper};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Wake, Waker};

fn block_on<F: Future>(os: &VirtualOs, driver: &mut Driver<VirtualOs>, future: F) -> F::Output {
    driver.block_on(&mut Sleeper::on(os.clone()), future)
}

/// Runs several futures to their ends.
async fn all(mut futures: Vec<Pin<Box<dyn Future<Output = ()> + '_>>>) {
    poll_fn(|context| {
        futures.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if futures.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[test]
fn sleeps_end_in_order_at_their_times() {
    let (os, mut driver, timers) = driver();
    let notes = Notes::default();
    let sleep = |micros| {
        let (timers, notes) = (timers.clone(), notes.clone());
        let body = async move {
            let woke = timers.sleep_until(at(micros)).await.unwrap();
            assert!(woke >= at(micros) && woke < at(micros + 1));
            notes.push(micros);
        };
        Box::pin(body) as Pin<Box<dyn Future<Output = ()>>>
    };
    let futures = [300, 100, 100, 200, 0].map(sleep);
    block_on(&os, &mut driver, all(futures.into()));
    assert_eq!(notes.all(), [0, 100, 100, 200, 300]);
    assert!(timers.is_empty());
}

#[test]
fn a_sleep_that_is_dropped_is_cancelled() {
    let (_, mut driver, timers) = driver();
    let mut context = Context::from_waker(Waker::noop());
    {
        let mut sleep = pin!(timers.sleep_until(at(100)));
        assert!(sleep.as_mut().poll(&mut context).is_pending());
        assert_eq!(timers.len(), 1);
        let _never_polled = timers.sleep_until(at(50));
    }
    assert!(timers.is_empty());
    assert_eq!(driver.next_wakeup(), None);
}

#[test]
fn the_last_waker_is_the_one_that_is_woken() {
    let (os, mut driver, timers) = driver();
    let (first, last) = (Arc::new(Count::default()), Arc::new(Count::default()));
    let mut sleep = pin!(timers.sleep_until(at(100)));
    for count in [&first, &last] {
        let waker = Waker::from(Arc::clone(count));
        let polled = sleep.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
    }
    assert_eq!(timers.len(), 1);
    assert_eq!(Arc::strong_count(&first), 1, "the driver let go of it");
    os.advance(100 * MICROSECOND);
    assert_eq!(driver.run_due(), 1);
    let woken = [&first, &last].map(|count| count.0.load(Ordering::Relaxed));
    assert_eq!(woken, [0, 1]);
}

struct Panicking;

impl Wake for Panicking {
    fn wake(self: Arc<Self>) {
        panic!("on purpose");
    }
}

#[test]
fn a_waker_that_panics_stops_nothing() {
    let (os, mut driver, timers) = driver();
    let waker = Waker::from(Arc::new(Panicking));
    let mut sleep = pin!(timers.sleep_until(at(100)));
    assert!(
        sleep
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_pending()
    );
    let called = Notes::default();
    let notes = called.clone();
    timers.once(at(100), move |_| notes.push(())).unwrap();
    os.advance(100 * MICROSECOND);
    assert_eq!(driver.run_due(), 2);
    assert_eq!((called.all().len(), timers.counters().panics), (1, 1));
}

#[test]
fn a_sleep_is_ready_wherever_in_its_window_it_is_polled() {
    let (os, mut driver, timers) = driver();
    let sleep = timers.sleep_until(Window::from(at(100)..=at(900)));
    os.advance(300 * MICROSECOND);
    let woke = block_on(&os, &mut driver, sleep).unwrap();
    assert!(woke >= at(300) && woke < at(301));
    assert_eq!(os.system_waits(), 0);
}

async fn three(timers: Handle<VirtualOs>, os: VirtualOs, policy: MissedTicks) -> Vec<(u64, u64)> {
    let period = Period::from_hertz(1_000);
    let schedule = Schedule::new(at(1_000), period).with_missed_ticks(policy);
    let mut ticks = timers.ticks(schedule);
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let tick = ticks.next().await.unwrap();
        seen.push((tick.index, tick.woke.as_nanos() / 1_000));
        if seen.len() == 1 {
            os.advance(2_500 * MICROSECOND);
        }
    }
    seen
}

#[test]
fn ticks_are_those_of_a_ticker() {
    for (policy, expected) in [
        (MissedTicks::Burst, [(0, 1_000), (1, 3_500), (2, 3_500)]),
        (MissedTicks::Skip, [(0, 1_000), (2, 3_500), (3, 4_000)]),
        (MissedTicks::Delay, [(0, 1_000), (1, 3_500), (2, 4_500)]),
    ] {
        let (os, mut driver, timers) = driver();
        let future = three(timers, os.clone(), policy);
        assert_eq!(block_on(&os, &mut driver, future), expected, "{policy:?}");
    }
}

#[test]
fn a_tick_that_nothing_stayed_for_is_not_lost() {
    let (os, mut driver, timers) = driver();
    let mut ticks = timers.ticker(Period::from_hertz(1_000));
    let mut context = Context::from_waker(Waker::noop());
    block_on(&os, &mut driver, ticks.next()).unwrap();
    assert!(pin!(ticks.next()).poll(&mut context).is_pending());
    assert_eq!(block_on(&os, &mut driver, ticks.next()).unwrap().index, 1);
}

#[test]
fn a_future_goes_on_without_its_driver() {
    let (os, mut driver, timers) = driver();
    let stop = timers.clone();
    timers.once(at(100), move |_| stop.shut_down()).unwrap();
    let outcome = block_on(&os, &mut driver, async {
        let outcome = timers.sleep_until(at(200)).await;
        let also = timers.sleep_until(at(300)).await;
        (outcome.is_err(), also.is_err())
    });
    assert_eq!(outcome, (true, true));
    assert!(os.now() < at(200));
}
