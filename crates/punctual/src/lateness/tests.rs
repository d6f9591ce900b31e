//! The statistics against a sorted list of everything they were given.

use super::{Arrival, LatenessStats, Summary};
use crate::{Instant, Period, Schedule};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::time::Duration;
use proptest::prelude::*;

const MILLISECOND: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

fn at(millis: u64) -> Instant {
    Instant::ZERO + MILLISECOND * u32::try_from(millis).unwrap()
}

/// Comes on time.
fn punctual_at(millis: u64) -> Arrival {
    Arrival::new(at(millis), at(millis))
}

fn late_by(nanos: u64) -> Arrival {
    Arrival::new(Instant::ZERO, Instant::from_nanos(nanos))
}

#[test]
fn nothing_is_all_zeros() {
    let mut stats = LatenessStats::new();
    assert_eq!(stats.summary(), Summary::default());
    assert_eq!(stats.summary().to_string(), "nothing came");
    assert_eq!(stats.last_second(), None);
    stats.record(punctual_at(5));
    let one = Summary {
        count: 1,
        ..Summary::default()
    };
    assert_eq!(stats.summary(), one, "one has no rate");
}

#[test]
fn a_second_ends_with_the_first_that_comes_after_it() {
    let mut stats = LatenessStats::new();
    let frames = Period::from_hertz(60);
    let mut schedule = Schedule::new(at(300), frames);
    let mut seconds = Vec::new();
    for _ in 0..181 {
        let woke = schedule.next_deadline().unwrap();
        seconds.extend(stats.record(schedule.tick(woke).unwrap()));
    }
    assert_eq!(seconds.len(), 3);
    for second in &seconds {
        assert_eq!(second.count, 60);
        assert!((second.rate_hertz - 60.0).abs() < 1e-6, "{second:?}");
        assert_eq!(second.mean_interval.as_micros(), 16_666);
    }
    assert_eq!(stats.last_second(), seconds.last().copied());
    assert_eq!(stats.summary().count, 181);
}

#[test]
fn empty_seconds_have_no_summary_and_seconds_stay_where_they_are() {
    let mut stats = LatenessStats::new();
    assert_eq!(stats.record(punctual_at(0)), None);
    let first = stats.record(punctual_at(3_700)).unwrap();
    assert_eq!(first.count, 1);
    assert_eq!(stats.record(punctual_at(3_999)), None);
    let fourth = stats.record(punctual_at(4_000)).unwrap();
    assert_eq!(fourth.count, 2);
    assert_eq!(fourth.mean_interval, 3_999 * MILLISECOND / 2);
}

#[test]
fn a_pause_is_left_out_of_the_rate() {
    let mut stats = LatenessStats::new();
    for turn in 0..3 {
        stats.resume();
        for tick in 0..100 {
            stats.record(punctual_at(turn * 10_000 + 10 * tick));
        }
    }
    assert_eq!(stats.summary().mean_interval, 10 * MILLISECOND);
    assert!((stats.summary().rate_hertz - 100.0).abs() < 1e-6);
}

#[test]
fn what_comes_out_of_order_makes_no_interval_longer() {
    let mut stats = LatenessStats::new();
    for millis in [0, 30, 10, 40] {
        stats.record(punctual_at(millis));
    }
    assert_eq!(stats.summary().mean_interval, 40 * MILLISECOND / 3);
}

#[test]
fn reset_is_as_new() {
    let mut stats = LatenessStats::new();
    for millis in 0..2_500 {
        stats.record(punctual_at(millis));
    }
    stats.reset();
    assert_eq!(stats.summary(), Summary::default());
    assert_eq!(stats.last_second(), None);
    assert_eq!(stats.record(punctual_at(2_600)), None);
    assert_eq!(stats.record(punctual_at(3_599)), None, "its first second");
    assert_eq!(stats.summary().mean_interval, 999 * MILLISECOND);
}

#[test]
fn missed_periods_add_up() {
    let mut stats = LatenessStats::new();
    for missed in [0, 3, 0, 4] {
        let mut arrival = punctual_at(1);
        arrival.missed = missed;
        stats.record(arrival);
    }
    assert_eq!(stats.summary().missed, 7);
}

#[test]
fn the_ends_of_time_fit() {
    let mut stats = LatenessStats::new();
    let suspended = Arrival::new(Instant::ZERO, Instant::MAX);
    for _ in 0..3 {
        stats.record(suspended);
        stats.record(punctual_at(0));
    }
    let summary = stats.summary();
    assert_eq!(summary.worst, Instant::MAX - Instant::ZERO);
    assert_eq!((summary.p50, summary.p99), (Duration::ZERO, summary.worst));
    stats.record(Arrival::new(Instant::MAX, Instant::ZERO));
    assert_eq!(stats.summary().p50, Duration::ZERO, "early is not late");
}

#[test]
fn a_summary_fits_a_line() {
    let busy = Summary {
        count: u64::MAX,
        rate_hertz: 50_000.04,
        mean_interval: 20 * MILLISECOND / 1_000,
        p50: Duration::from_nanos(123_449),
        p99: Duration::from_nanos(999_940),
        worst: Duration::from_nanos(999_940_000),
        missed: 12_345,
    };
    let line = busy.to_string();
    let shown = "50000.0 Hz, late 123.4µs (p50), 999.9µs (p99), 999.9ms (worst), 12345 missed";
    assert_eq!(line, shown);
    assert!(line.chars().count() <= 80);
    let fast = Summary {
        p50: Duration::from_nanos(830),
        ..busy
    };
    assert!(fast.to_string().contains("late 830ns (p50)"));
}

/// The nearest-rank percentile of a sorted list.
fn exact(sorted: &[u64], percent: usize) -> u64 {
    sorted[(sorted.len() * percent).div_ceil(100) - 1]
}

fn assert_near(percentile: Duration, exact: u64) {
    let found = u64::try_from(percentile.as_nanos()).unwrap();
    assert!(found.abs_diff(exact) <= exact / 32, "{found}, not {exact}");
}

/// Of every magnitude, so that every bin is met.
fn latenesses() -> impl Strategy<Value = u64> {
    (0_u32..=36, 0_u64..1 << 36).prop_map(|(shift, nanos)| nanos >> shift)
}

proptest! {
    #[test]
    fn percentiles_are_within_a_thirty_second(
        mut sample in prop::collection::vec(latenesses(), 1..500),
    ) {
        let mut stats = LatenessStats::new();
        for &nanos in &sample {
            stats.record(late_by(nanos));
        }
        sample.sort_unstable();
        let summary = stats.summary();
        prop_assert_eq!(summary.count, sample.len() as u64);
        prop_assert_eq!(summary.worst.as_nanos(), u128::from(*sample.last().unwrap()));
        assert_near(summary.p50, exact(&sample, 50));
        assert_near(summary.p99, exact(&sample, 99));
        prop_assert!(summary.p50 <= summary.p99 && summary.p99 <= summary.worst);
    }

    /// Seconds, taken together, are everything but the second under way.
    #[test]
    fn seconds_partition_time(
        steps in prop::collection::vec((0_u64..3_000_000_000, latenesses()), 1..100),
    ) {
        let mut stats = LatenessStats::new();
        let mut now = Instant::from_nanos(1 << 40);
        let (mut counts, mut start) = (0, None);
        for (step, lateness) in steps {
            now += Duration::from_nanos(step);
            let start = *start.get_or_insert(now);
            let before = stats.summary().count;
            let arrival = Arrival::new(now - Duration::from_nanos(lateness), now);
            if let Some(second) = stats.record(arrival) {
                counts += second.count;
                prop_assert_eq!(counts, before, "all that came before");
            }
            let under_way = (now - start).as_secs();
            let ends = stats.second_ends.unwrap();
            prop_assert_eq!(ends - start, SECOND + Duration::from_secs(under_way));
        }
    }
}
