//! What is dropped leaves no timer behind, and takes no tick with it.

use punctual::{Driver, DriverThread, Handle};
use punctual_tokio::{Duration, Instant, Time};
use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

const HOUR: Duration = Duration::from_secs(3_600);

struct Fixture {
    _driver: DriverThread,
    timers: Handle,
    time: Time,
}

impl Fixture {
    fn new() -> Self {
        let driver = Driver::new().start().unwrap();
        let timers = driver.handle();
        Self {
            time: Time::with_driver(timers.clone()),
            timers,
            _driver: driver,
        }
    }
}

/// Polls once, in no task.
fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn dropped_futures_cancel_their_timers() {
    let Fixture { timers, time, .. } = &Fixture::new();
    {
        let mut nap = pin!(time.sleep(HOUR));
        let mut limited = pin!(time.timeout(HOUR, pending::<()>()));
        let mut beats = time.interval_at(Instant::now() + HOUR, HOUR);
        assert_eq!(timers.len(), 0, "nothing was polled yet");
        assert!(poll_once(nap.as_mut()).is_pending());
        assert!(poll_once(limited.as_mut()).is_pending());
        assert!(poll_once(pin!(beats.tick())).is_pending());
        assert_eq!(timers.len(), 3);
    }
    assert_eq!(timers.len(), 0);
}

#[tokio::test]
async fn a_loser_of_a_race_cancels_its_timer() {
    let Fixture { timers, time, .. } = &Fixture::new();
    tokio::select! {
        () = time.sleep(HOUR) => panic!("an hour has passed"),
        () = time.sleep(Duration::from_micros(200)) => {}
    }
    let aborted = tokio::spawn(time.sleep(HOUR));
    tokio::task::yield_now().await;
    assert_eq!(timers.len(), 1);
    aborted.abort();
    assert!(aborted.await.unwrap_err().is_cancelled());
    assert_eq!(timers.len(), 0);
}

#[tokio::test]
async fn a_dropped_tick_is_not_lost() {
    let Fixture { time, .. } = &Fixture::new();
    let period = Duration::from_micros(300);
    let start = Instant::now() + period;
    let mut beats = time.interval_at(start, period);
    for number in 0..5 {
        // As `select!` gives it up, unless it has come.
        let polled = poll_once(pin!(beats.tick()));
        let tick = match polled {
            Poll::Ready(tick) => tick,
            Poll::Pending => beats.tick().await,
        };
        assert_eq!(tick, start + period * number);
        assert!(Instant::now() >= tick);
    }
}

#[tokio::test(start_paused = true)]
async fn a_sleep_that_is_due_has_not_elapsed_before_it_is_polled() {
    for time in [Time::shared(), Fixture::new().time] {
        let mut nap = pin!(time.sleep_until(Instant::now()));
        assert!(!nap.is_elapsed());
        nap.as_mut().await;
        assert!(nap.is_elapsed());
    }
    // The same in real time, on a thread of its own that no runtime has paused.
    let elapsed = std::thread::spawn(|| {
        let mut nap = pin!(punctual_tokio::sleep_until(Instant::now()));
        let before = nap.is_elapsed();
        (before, poll_once(nap.as_mut()).is_ready(), nap.is_elapsed())
    });
    assert_eq!(elapsed.join().unwrap(), (false, true, true));
}

#[tokio::test]
async fn a_sleep_that_is_reset_waits_for_its_new_deadline() {
    let Fixture { timers, time, .. } = &Fixture::new();
    let mut nap = pin!(time.sleep(HOUR));
    assert!(poll_once(nap.as_mut()).is_pending());
    assert!(!nap.is_elapsed());
    let sooner = Instant::now() + Duration::from_micros(300);
    nap.as_mut().reset(sooner);
    assert_eq!((nap.deadline(), timers.len()), (sooner, 1));
    nap.as_mut().await;
    assert!(Instant::now() >= sooner && nap.is_elapsed());

    // Once more, after it was ready.
    let again = Instant::now() + Duration::from_micros(300);
    nap.as_mut().reset(again);
    nap.await;
    assert!(Instant::now() >= again);
}
