//! A ticker whose rate changes, that pauses, and that gives its sleeper back.

use super::{MILLISECOND, every_millisecond};
use punctual::os::VirtualOs;
use punctual::{Instant, MissedTicks, Period, Ticker};
use std::time::Duration;

#[test]
fn a_change_of_rate_keeps_the_phase() {
    let os = VirtualOs::new();
    let mut ticker = every_millisecond(&os, MissedTicks::Skip);
    assert_eq!(ticker.tick().unwrap().index, 0);
    assert_eq!(ticker.tick().unwrap().index, 1);
    os.advance(MILLISECOND / 4);
    let now = ticker.sleeper().now();
    ticker.set_period(10 * MILLISECOND);
    assert_eq!(ticker.period(), Period::from_hertz(100));
    let tick = ticker.tick().unwrap();
    assert_eq!((tick.index, tick.missed), (2, 0));
    // Three quarters of the old period were left when it changed, a few readings of the clock
    // after `now`; so three quarters of the new one pass from there on.
    let expected = now + 15 * MILLISECOND / 2;
    let off = expected.max(tick.deadline) - expected.min(tick.deadline);
    assert!(off < Duration::from_nanos(100), "{off:?}");
    let next = ticker.tick().unwrap();
    assert_eq!(next.deadline - tick.deadline, 10 * MILLISECOND);
}

#[test]
fn a_restart_forgets_the_pause() {
    let os = VirtualOs::new();
    let mut ticker = every_millisecond(&os, MissedTicks::Burst);
    assert_eq!(ticker.by_ref().take(3).last().unwrap().index, 2);
    ticker.sleeper_mut().pause();
    os.advance(Duration::from_secs(3_600));
    ticker.restart();
    let tick = ticker.tick().unwrap();
    assert_eq!((tick.index, tick.missed), (3, 0));
    assert_eq!(tick.lateness(), Duration::ZERO);
    let next = ticker.tick().unwrap();
    assert_eq!(next.deadline - tick.deadline, MILLISECOND);
}

#[test]
fn a_restart_at_an_instant_is_where_the_next_tick_comes() {
    let os = VirtualOs::new();
    let mut ticker = every_millisecond(&os, MissedTicks::Skip);
    ticker.tick().unwrap();
    let start = Instant::ZERO + Duration::from_micros(12_345);
    ticker.restart_at(start);
    let deadlines: Vec<_> = ticker
        .take(2)
        .map(|tick| (tick.index, tick.deadline))
        .collect();
    assert_eq!(deadlines, [(1, start), (2, start + MILLISECOND)]);
}

#[test]
fn a_ticker_gives_its_sleeper_back_with_what_it_has_learned() {
    // A system that wakes everybody 70 us late.
    let os = VirtualOs::waking(|until| until + Duration::from_micros(70));
    let mut ticker = every_millisecond(&os, MissedTicks::Skip);
    ticker.by_ref().take(1_000).for_each(drop);
    let learned = ticker.sleeper().margin().before(MILLISECOND);
    assert!(learned > Duration::from_micros(60), "{learned:?}");
    let sleeper = ticker.into_sleeper();
    assert_eq!(sleeper.margin().before(MILLISECOND), learned);
    let mut again = Ticker::with_sleeper(sleeper, MILLISECOND);
    again.tick().unwrap();
    assert!(again.tick().unwrap().lateness() < Duration::from_micros(1));
}
