//! The experiment in virtual time: what is counted, and what is not.

use super::*;
use crate::Native;
use crate::machine::Unavailable;
use punctual::Instant;
use punctual::Os;
use punctual::os::{Spin, VirtualOs};
use punctual_data::pace::Second;

const MILLISECOND: Duration = Duration::from_millis(1);

/// Wakes as late as its script says, by the number of the beat.
struct Scripted {
    os: VirtualOs,
    beats: u64,
    late_us: fn(u64) -> u64,
}

impl Wait for Scripted {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let late = Duration::from_micros((self.late_us)(self.beats));
        self.beats += 1;
        self.os.spin_until(deadline + late, Spin::Pause)
    }
}

#[derive(Default)]
struct Followed {
    names: Vec<String>,
    paces: Vec<Pace>,
    unavailable: Vec<Unavailable>,
    blocks: u64,
    done: u64,
    stop_after_ms: Option<u64>,
}

impl Observer<Pace> for Followed {
    fn begins(&mut self, names: Vec<String>, unavailable: Vec<Unavailable>) {
        (self.names, self.unavailable) = (names, unavailable);
    }

    fn block(&mut self, index: usize, pace: &Pace, done: u64) {
        self.paces.truncate(index);
        self.paces.push(pace.clone());
        self.blocks += 1;
        assert!(done >= self.done, "progress goes forward");
        self.done = done;
    }

    fn stops(&self) -> bool {
        self.stop_after_ms.is_some_and(|after| self.done >= after)
    }
}

fn plan(seconds: u64) -> Plan {
    Plan {
        period: Period::try_from(10 * MILLISECOND).unwrap(),
        duration: Duration::from_secs(seconds),
        work: Duration::ZERO,
    }
}

/// The pace of a loop of 10 ms with this schedule, and with waits that end late by what the script
/// says.
fn kept(keeping: Keeping, plan: Plan, late_us: fn(u64) -> u64) -> Pace {
    followed(keeping, plan, late_us).paces.pop().unwrap()
}

/// The same, and what was told of it.
fn followed(keeping: Keeping, plan: Plan, late_us: fn(u64) -> u64) -> Followed {
    let os = VirtualOs::new();
    let mut method = Scripted {
        os: os.clone(),
        beats: 0,
        late_us,
    };
    let mut observer = Followed::default();
    let mut turn = Turn {
        machine: &os,
        plan,
        index: 0,
        pace: Pace::of("scripted", plan.period),
    };
    turn.run(keeping, &mut method, &mut observer);
    observer
}

const REMAINDER: Keeping = Keeping::Remainder {
    early: Duration::ZERO,
};
const SCHEDULE: Keeping = Keeping::Schedule {
    margin: Duration::ZERO,
};

#[test]
fn what_a_wait_is_late_by_moves_a_remainder_and_not_a_schedule() {
    let late = |_| 100;
    let drifting = kept(REMAINDER, plan(10), late);
    // A hundredth of the period, every period.
    assert!((drifting.error().unwrap() - 0.01).abs() < 1e-5);
    let record = PaceRecord::from(&drifting);
    // A clock of 10.1 ms beats counts 86400 · 100/101 seconds in a day.
    assert!((record.error_s_per_day.unwrap() - 86_400.0 / 101.0).abs() < 1.0);
    let missed = drifting.missed;
    assert!((9..=10).contains(&missed), "one in a hundred: {missed}");
    let steady = kept(SCHEDULE, plan(10), late);
    assert!(steady.error().unwrap().abs() < 1e-6, "{:?}", steady.error());
    assert_eq!(steady.missed, 0);
}

#[test]
fn a_long_loop_tells_its_pace_a_thousand_times_and_a_short_one_every_second() {
    let told = |seconds| followed(SCHEDULE, plan(seconds), |_| 0).blocks;
    assert_eq!(told(10), 10);
    assert!((800..=1_000).contains(&told(5_000)), "{}", told(5_000));
}

#[test]
fn waits_that_are_shortened_by_what_they_are_late_by_are_right() {
    let early = Duration::from_micros(100);
    let pace = kept(Keeping::Remainder { early }, plan(10), |_| 100);
    assert!(pace.error().unwrap().abs() < 1e-5, "{:?}", pace.error());
}

#[test]
fn jitter_is_the_deviation_of_intervals_and_not_lateness() {
    let constant = kept(SCHEDULE, plan(10), |_| 3_000);
    assert!(constant.jitter_ns() < 1.0, "{}", constant.jitter_ns());
    // On time and 1 ms late in turn: intervals of 9 and 11 ms.
    let alternating = kept(SCHEDULE, plan(10), |beat| beat % 2 * 1_000);
    assert!((alternating.jitter_ns() - 1e6).abs() < 1e3);
}

#[test]
fn a_stall_misses_the_periods_that_no_beat_is_nearest_to() {
    let stall = |beat| if beat == 200 { 33_000 } else { 0 };
    let pace = kept(SCHEDULE, plan(10), stall);
    assert_eq!(
        pace.missed, 3,
        "33 ms late is nearest to the third period after"
    );
    assert!(pace.error().unwrap().abs() < 1e-6, "a schedule catches up");
    assert_eq!(pace.intervals.max(), 43 * MILLISECOND);
}

#[test]
fn a_margin_is_spun_and_its_beats_are_on_time() {
    let margin = MILLISECOND;
    let pace = kept(Keeping::Schedule { margin }, plan(2), |_| 400);
    assert!(pace.jitter_ns() < 10.0);
    assert!(pace.error().unwrap().abs() < 1e-6);
}

#[test]
fn work_is_part_of_the_period_and_of_no_wait() {
    let plan = Plan {
        work: 4 * MILLISECOND,
        ..plan(2)
    };
    let pace = kept(REMAINDER, plan, |_| 0);
    assert!(pace.error().unwrap().abs() < 1e-6, "{:?}", pace.error());
    assert!(pace.waits.max() <= 6 * MILLISECOND);
}

#[test]
fn the_pace_over_time_has_seconds_and_in_long_runs_more_of_them() {
    let slower = |beat| if beat > 500 { 1_000 } else { 0 };
    let ten = kept(REMAINDER, plan(10), slower);
    let seconds = ten.seconds.as_slice();
    assert!((9..=10).contains(&seconds.len()), "{}", seconds.len());
    let average = |second: &Second| second.elapsed.as_secs_f64() / second.beats as f64;
    assert!((average(&seconds[1]) - 0.010).abs() < 1e-6);
    assert!((average(&seconds[8]) - 0.011).abs() < 1e-6);
    let long = kept(SCHEDULE, plan(3_600), |_| 0);
    let stretches = long.seconds.as_slice();
    assert!((150..=300).contains(&stretches.len()));
    let beats: u64 = stretches.iter().map(|stretch| stretch.beats).sum();
    assert!(beats > 350_000, "nothing is lost: {beats}");
}

#[test]
fn beats_of_the_first_200_ms_are_not_counted() {
    let pace = kept(SCHEDULE, plan(1), |beat| if beat < 19 { 9_000 } else { 0 });
    assert_eq!(pace.intervals.max(), 10 * MILLISECOND);
    assert_eq!(pace.beats(), 100);
}

fn question(each: Duration) -> Question {
    Question::of(Beats {
        length: Length::Each(each),
        ..Beats::every(Period::from_duration(10 * MILLISECOND))
    })
}

#[test]
fn virtual_every_way_has_its_time_and_stopping_keeps_what_there_is() {
    let os = VirtualOs::new();
    let question = question(Duration::from_secs(2));
    let mut all = Followed::default();
    question.run(&os, &mut all).unwrap();
    assert_eq!(all.names, question.series::<VirtualOs>().unwrap());
    assert_eq!(all.paces.len(), all.names.len());
    assert_eq!(all.done, question.steps::<VirtualOs>().unwrap());
    let mut stopped = Followed {
        stop_after_ms: Some(1_000),
        ..Followed::default()
    };
    question.run(&os, &mut stopped).unwrap();
    assert_eq!(stopped.paces.len(), 1);
    assert!((90..=110).contains(&stopped.paces[0].beats()));
}

#[test]
fn native_every_way_keeps_the_beat() {
    let question = question(Duration::from_millis(50));
    let mut followed = Followed::default();
    question
        .run(&Native::detect().unwrap(), &mut followed)
        .unwrap();
    let there = followed.names.len();
    let series = question.series::<Native>().unwrap();
    assert_eq!(there + followed.unavailable.len(), series.len());
    assert_eq!(followed.paces.len(), there);
    assert!(followed.paces.iter().all(|pace| pace.beats() > 0));
}

#[cfg(feature = "sim")]
#[test]
fn simulated_every_way_keeps_the_beat_for_an_hour() {
    use crate::simulated::SimulatedMachine;
    let machine: SimulatedMachine = "windows-7".parse().unwrap();
    let run = machine.run(1, |os| {
        let minutes = crate::effort(15, 60);
        let mut question = question(Duration::from_secs(60 * u64::from(minutes)));
        question.schedule.period = Period::from_hertz(1);
        let mut followed = Followed::default();
        question.run(&os, &mut followed).unwrap();
        (followed.names, followed.paces)
    });
    let (names, paces) = run.unwrap().value;
    assert_eq!(names.len(), paces.len());
    for pace in &paces {
        let error = pace.error().unwrap();
        let drifts = ["sleep", "waitable", "waitable-early"];
        if drifts.contains(&pace.way.as_str()) {
            assert!(error.abs() < 0.01, "{}: {error}", pace.way);
        } else {
            assert!(error.abs() < 1e-5, "{}: {error}", pace.way);
        }
    }
}
