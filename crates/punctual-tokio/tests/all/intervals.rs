//! Intervals in real time: their deadlines, however late their ticks are.

use punctual_tokio::{Duration, Instant, MissedTickBehavior, interval, interval_at};
use std::thread;

const PERIOD: Duration = Duration::from_micros(400);

#[tokio::test]
async fn ticks_do_not_drift() {
    let mut beats = interval(PERIOD);
    assert_eq!(beats.period(), PERIOD);
    let first = beats.tick().await;
    for number in 1..10 {
        let due = first + PERIOD * number;
        assert_eq!(beats.tick().await, due);
        assert!(Instant::now() >= due);
    }
}

#[tokio::test]
async fn a_tolerance_moves_no_deadline() {
    let start = Instant::now();
    let mut beats = interval_at(start, PERIOD).tolerating(PERIOD / 2);
    for number in 0..10 {
        assert_eq!(beats.tick().await, start + PERIOD * number);
    }
}

/// The deadlines of three ticks, of which the first is taken this long after its own.
async fn after_a_pause(behavior: MissedTickBehavior, pause: Duration) -> [Duration; 3] {
    let start = Instant::now();
    let mut beats = interval_at(start, PERIOD);
    beats.set_missed_tick_behavior(behavior);
    assert_eq!(beats.missed_tick_behavior(), behavior);
    thread::sleep(pause);
    let mut ticks = [Duration::ZERO; 3];
    for tick in &mut ticks {
        *tick = beats.tick().await - start;
    }
    ticks
}

#[tokio::test]
async fn missed_ticks_come_in_a_burst() {
    let ticks = after_a_pause(MissedTickBehavior::Burst, PERIOD * 5).await;
    assert_eq!(ticks, [Duration::ZERO, PERIOD, PERIOD * 2]);
}

#[tokio::test]
async fn missed_ticks_of_a_short_period_are_skipped() {
    // Far less than tokio's five milliseconds.
    let [first, second, third] = after_a_pause(MissedTickBehavior::Skip, PERIOD * 5).await;
    assert_eq!(first, Duration::ZERO);
    assert!(second >= PERIOD * 6, "{second:?}");
    for tick in [second, third] {
        assert_eq!(tick.as_nanos() % PERIOD.as_nanos(), 0, "{tick:?}");
    }
}

#[tokio::test]
async fn missed_ticks_delay_the_next() {
    let [first, second, third] = after_a_pause(MissedTickBehavior::Delay, PERIOD * 5).await;
    assert_eq!(first, Duration::ZERO);
    assert!(second >= PERIOD * 6 && third >= second + PERIOD);
}

#[tokio::test]
async fn resets_move_the_next_tick() {
    let mut beats = interval(Duration::from_secs(3_600));
    beats.tick().await;

    let now = Instant::now();
    beats.reset_immediately();
    let tick = beats.tick().await;
    assert!(now <= tick && tick <= Instant::now());

    let soon = Instant::now() + PERIOD;
    beats.reset_at(soon);
    assert_eq!(beats.tick().await, soon);

    let now = Instant::now();
    beats.reset_after(PERIOD);
    assert!(beats.tick().await >= now + PERIOD);
}

#[tokio::test]
async fn a_reset_waits_for_a_whole_period() {
    let mut beats = interval(PERIOD);
    beats.tick().await;
    let now = Instant::now();
    beats.reset();
    assert!(beats.tick().await >= now + PERIOD);
}

#[test]
#[should_panic(expected = "`period` must be non-zero")]
fn a_period_of_zero_is_refused() {
    interval(Duration::ZERO);
}

#[tokio::test]
async fn the_longest_period_never_ends() {
    let mut beats = interval(Duration::MAX);
    let first = beats.tick().await;
    assert!(first + beats.period() > first);
}
