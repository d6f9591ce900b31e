//! Ticker in virtual time: against a model that lists every deadline, and over centuries.

mod changes;
mod native;

use proptest::prelude::*;
use punctual::os::VirtualOs;
use punctual::{Cancel, Ended, Instant, MissedTicks, Os, Period, Sleeper, Tick, Ticker};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

fn ticker(os: &VirtualOs, period: Period, missed_ticks: MissedTicks) -> Ticker<VirtualOs> {
    Ticker::with_sleeper(Sleeper::on(os.clone()), period)
        .with_missed_ticks(missed_ticks)
        .starting_at(Instant::ZERO)
}

fn every_millisecond(os: &VirtualOs, missed_ticks: MissedTicks) -> Ticker<VirtualOs> {
    ticker(os, Period::from_hertz(1_000), missed_ticks)
}

/// A schedule in which the loop stalls from 1 ms to 4.5 ms: what each policy makes of it, as
/// `(index, scheduled in µs, missed)`.
fn ticks_around_a_stall(missed_ticks: MissedTicks) -> Vec<(u64, u64, u64)> {
    let os = VirtualOs::new();
    let mut ticker = every_millisecond(&os, missed_ticks);
    let mut ticks: Vec<Tick> = ticker.by_ref().take(2).collect();
    os.advance(3_500 * Duration::from_micros(1));
    ticks.extend(ticker.take(6));
    let row = |tick: Tick| (tick.index, tick.deadline.as_nanos() / 1_000, tick.missed);
    ticks.into_iter().map(row).collect()
}

#[test]
fn skip_gives_the_last_period_its_tick_and_counts_the_rest() {
    let expected = [
        (0, 0, 0),
        (1, 1_000, 0),
        (4, 4_000, 2),
        (5, 5_000, 0),
        (6, 6_000, 0),
        (7, 7_000, 0),
        (8, 8_000, 0),
        (9, 9_000, 0),
    ];
    assert_eq!(ticks_around_a_stall(MissedTicks::Skip), expected);
}

#[test]
fn burst_gives_every_period_its_tick() {
    let expected: Vec<_> = (0..8).map(|index| (index, index * 1_000, 0)).collect();
    assert_eq!(ticks_around_a_stall(MissedTicks::Burst), expected);
}

#[test]
fn delay_restarts_the_schedule_at_the_tick_that_passed() {
    let expected = [
        (0, 0, 0),
        (1, 1_000, 0),
        (2, 2_000, 2),
        (3, 5_500, 0),
        (4, 6_500, 0),
        (5, 7_500, 0),
        (6, 8_500, 0),
        (7, 9_500, 0),
    ];
    assert_eq!(ticks_around_a_stall(MissedTicks::Delay), expected);
}

#[test]
fn ticks_that_are_due_cost_no_system_call() {
    for missed_ticks in [MissedTicks::Burst, MissedTicks::Delay, MissedTicks::Skip] {
        let os = VirtualOs::new();
        os.advance(100 * MILLISECOND);
        let mut ticker = every_millisecond(&os, missed_ticks);
        let tick = ticker.tick().unwrap();
        assert_eq!(os.system_waits(), 0, "{missed_ticks:?}");
        assert!(tick.woke >= tick.deadline);
    }
    let os = VirtualOs::new();
    os.advance(100 * MILLISECOND);
    let burst = every_millisecond(&os, MissedTicks::Burst).take(100);
    assert!(burst.zip(0..).all(|(tick, index)| tick.index == index));
    assert_eq!(os.system_waits(), 0);
}

#[test]
fn the_first_tick_is_where_it_is_first_asked_for() {
    let os = VirtualOs::new();
    let period = Period::from_hertz(1_000);
    let mut ticker = Ticker::with_sleeper(Sleeper::on(os.clone()), period);
    os.advance(7 * MILLISECOND);
    let first = ticker.tick().unwrap();
    assert_eq!((first.index, first.missed), (0, 0));
    assert!(first.deadline >= Instant::ZERO + 7 * MILLISECOND);
    assert_eq!(first.lateness(), Duration::ZERO);
    assert_eq!(
        ticker.tick().unwrap().deadline,
        first.deadline + MILLISECOND
    );
}

#[test]
fn half_a_million_million_video_frames_do_not_drift() {
    let period = Period::from_hertz_fraction(30_000, 1_001);
    let frames = 500_000_000_000;
    let os = VirtualOs::new();
    let mut ticker = ticker(&os, period, MissedTicks::Skip);
    os.advance(period.offset(frames).unwrap());
    let tick = ticker.tick().unwrap();
    assert_eq!((tick.index, tick.missed), (frames, frames));
    assert_eq!(tick.deadline.as_nanos(), 16_683_333_333_333_333_333);
    let next = ticker.tick().unwrap();
    assert_eq!(next.deadline.as_nanos(), 16_683_333_333_366_700_000);
}

#[test]
fn past_the_end_of_time_it_says_so() {
    let os = VirtualOs::new();
    let year = Duration::from_secs(365 * 24 * 3600);
    let mut ticker = ticker(
        &os,
        Period::try_from(500 * year).unwrap(),
        MissedTicks::Skip,
    );
    assert_eq!(ticker.tick().map(|tick| tick.index), Ok(0));
    assert_eq!(ticker.tick().map(|tick| tick.index), Ok(1));
    assert_eq!(ticker.tick(), Err(Ended::EndOfTime));
    assert_eq!(ticker.next(), None);
}

#[test]
fn the_shortest_period_at_the_end_of_time_ends_too() {
    let os = VirtualOs::new();
    os.advance(Duration::MAX);
    let nanosecond = Period::from_nanos_fraction(1, 1);
    let last = ticker(&os, nanosecond, MissedTicks::Skip).next();
    assert_eq!(last, None);
}

#[test]
fn a_cancelled_ticker_ends_whether_its_tick_is_due_or_to_come() {
    let os = VirtualOs::new();
    let cancel = Cancel::on(os.clone());
    let mut ticker = every_millisecond(&os, MissedTicks::Skip).cancelled_by(cancel.clone());
    assert!(ticker.tick().is_ok());
    cancel.cancel();
    assert_eq!(ticker.tick(), Err(Ended::Cancelled));
    os.advance(10 * MILLISECOND);
    assert_eq!(ticker.tick(), Err(Ended::Cancelled));
    assert_eq!(ticker.count(), 0);
}

/// What a policy says, by listing deadlines one at a time.
struct Model {
    period: Period,
    missed_ticks: MissedTicks,
    /// The start of the schedule, the index there, and the next index.
    start: Instant,
    first: u64,
    next: u64,
}

impl Model {
    fn deadline(&self, index: u64) -> Instant {
        self.period
            .deadline(self.start, index - self.first)
            .unwrap()
    }

    /// The next tick, as `(index, scheduled, missed)`, when it is asked for at `now`.
    fn tick(&mut self, now: Instant) -> (u64, Instant, u64) {
        let overdue_by = |model: &Self, steps| model.deadline(model.next + steps) <= now;
        let mut missed = 0;
        if self.missed_ticks != MissedTicks::Burst {
            while overdue_by(self, missed + 1) {
                missed += 1;
            }
        }
        if self.missed_ticks == MissedTicks::Skip {
            self.next += missed;
        }
        let (index, scheduled) = (self.next, self.deadline(self.next));
        if self.missed_ticks == MissedTicks::Delay && scheduled <= now {
            (self.start, self.first) = (now, index);
            // Whole periods since the deadline, listed from the deadline itself.
            missed = (1..)
                .take_while(|&k| self.period.deadline(scheduled, k).unwrap() <= now)
                .count() as u64;
        }
        self.next += 1;
        (index, scheduled, missed)
    }
}

proptest! {
    #[test]
    fn ticks_are_where_a_list_of_deadlines_says(
        numerator in 1_000_u64..100_000_000,
        denominator in 1_u64..1_000,
        policy in prop_oneof![
            Just(MissedTicks::Burst), Just(MissedTicks::Delay), Just(MissedTicks::Skip)
        ],
        work_periods in prop::collection::vec(0.0_f64..5.0, 1..100),
    ) {
        let period = Period::from_nanos_fraction(numerator, denominator);
        let os = VirtualOs::new();
        let mut ticker = ticker(&os, period, policy);
        let mut model = Model {
            period, missed_ticks: policy, start: Instant::ZERO, first: 0, next: 0,
        };
        for work in work_periods {
            // The ticker's first act is to read the clock; a reading changes it by a nanosecond.
            let asked_at = os.now() + Duration::from_nanos(1);
            let (index, scheduled, missed) = model.tick(asked_at);
            let tick = ticker.tick().unwrap();
            prop_assert_eq!((tick.index, tick.deadline, tick.missed), (index, scheduled, missed));
            prop_assert!(tick.woke >= tick.deadline);
            os.advance(period.to_duration().mul_f64(work));
        }
    }
}
