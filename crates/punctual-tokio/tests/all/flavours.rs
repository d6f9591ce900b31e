//! Never early, and ready at last: on both flavours, and without a runtime.

use punctual::{Driver, Native, block_on};
use punctual_tokio::error::Elapsed;
use punctual_tokio::{Duration, Instant, Time, Timeout, sleep, sleep_until, timeout, timeout_at};
use std::future::{Ready, pending, ready};
use std::io;
use tokio::task::JoinSet;

/// Shorter than tokio's millisecond, as long, and longer.
const MICROSECONDS: [u64; 7] = [0, 1, 50, 400, 999, 1_000, 2_500];

/// All that a program does with sleeps and timeouts, with assertions that hold however late it is.
async fn wait_in_every_way() {
    for duration in MICROSECONDS.map(Duration::from_micros) {
        let begun = Instant::now();
        let nap = sleep(duration);
        assert!(nap.deadline() >= begun + duration);
        nap.await;
        assert!(begun.elapsed() >= duration, "{duration:?}");

        let deadline = Instant::now() + duration;
        let nap = sleep_until(deadline);
        assert_eq!(nap.deadline(), deadline);
        nap.await;
        assert!(Instant::now() >= deadline, "{duration:?}");

        let begun = Instant::now();
        assert!(timeout(duration, pending::<()>()).await.is_err());
        assert!(begun.elapsed() >= duration, "{duration:?}");

        let deadline = Instant::now() + duration;
        let lost = timeout_at(deadline, pending::<()>()).tolerating(duration);
        assert!(lost.await.is_err());
        assert!(Instant::now() >= deadline, "{duration:?}");
    }
}

async fn wait_in_many_tasks() {
    let mut tasks = JoinSet::new();
    for _ in 0..20 {
        tasks.spawn(wait_in_every_way());
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
}

#[tokio::test]
async fn on_one_thread() {
    wait_in_many_tasks().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_several_threads() {
    wait_in_many_tasks().await;
}

#[test]
fn without_a_runtime() {
    block_on(&Native::new(), wait_in_every_way());
}

#[test]
fn on_a_runtime_without_timers() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    // Made outside of it, which tokio's timers refuse.
    runtime.block_on(sleep(Duration::from_micros(100)));
}

#[test]
fn a_timer_outlives_its_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut nap = {
        let _within = runtime.enter();
        sleep(Duration::from_micros(300))
    };
    drop(runtime);
    block_on(&Native::new(), &mut nap);
    assert!(nap.is_elapsed());
}

#[tokio::test]
async fn an_output_beats_its_limit() {
    assert_eq!(timeout(Duration::ZERO, ready(1)).await, Ok(1));
    let past = Instant::now();
    assert_eq!(timeout_at(past, ready(2)).await, Ok(2));
    assert_eq!(timeout(Duration::MAX, ready(3)).into_inner().await, 3);
}

#[tokio::test]
async fn a_limited_future_has_a_type_with_a_name() {
    struct Request {
        answer: Timeout<Ready<u32>>,
    }
    let mut request = Request {
        answer: timeout(Duration::from_secs(1), ready(1)),
    };
    *request.answer.get_mut() = ready(2);
    assert_eq!(request.answer.get_ref().clone().await, 2);
    let answer: Result<u32, Elapsed> = request.answer.await;
    assert_eq!(answer, Ok(2));
}

#[tokio::test]
async fn elapsed_is_an_io_error() {
    let elapsed: Elapsed = timeout(Duration::ZERO, pending::<()>()).await.unwrap_err();
    assert_eq!(elapsed.to_string(), "deadline has elapsed");
    assert_eq!(io::Error::from(elapsed).kind(), io::ErrorKind::TimedOut);
}

#[tokio::test]
async fn the_far_future_is_not_now() {
    let forever = sleep(Duration::MAX);
    assert!(forever.deadline() > Instant::now() + Duration::from_secs(1 << 29));
    assert!(timeout(Duration::from_micros(100), forever).await.is_err());
}

#[tokio::test]
async fn a_driver_of_its_own_serves_it() {
    let driver = Driver::new().start().unwrap();
    let timers = driver.handle();
    let time = Time::with_driver(timers.clone());
    time.sleep(Duration::from_micros(500)).await;
    let mut beats = time.interval(Duration::from_micros(500));
    beats.tick().await;
    beats.tick().await;
    assert!(timers.counters().fired >= 1, "{:?}", timers.counters());
}

#[tokio::test]
#[should_panic(expected = "the driver was shut down")]
async fn a_driver_that_was_shut_down_is_named() {
    let driver = Driver::new().start().unwrap();
    let time = Time::with_driver(driver.handle());
    driver.shut_down().unwrap();
    time.sleep(Duration::from_secs(3_600)).await;
}
