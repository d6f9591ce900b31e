//! The experiment in virtual time: what is counted, and what is not.

use super::*;
use crate::machine::{Clock, Machine, ThreadTimes, Unavailable};
use crate::observer::Observer;
use crate::question::Refusal;
use crate::waiters::contenders::Contender;
use crate::waiters::{Wait, Waiter, portable};
use crate::{Environment, Native, calls, clocks};
use punctual::os::{Spin, VirtualOs};
use punctual::{Instant, Os, Period};
use punctual_data::statistics::Series;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

impl Machine for VirtualOs {
    fn waiters() -> Vec<Waiter<Self>> {
        let mut waiters = Vec::from(portable());
        waiters.extend(calls::tests::all());
        waiters
    }

    fn clocks() -> Vec<Clock<Self>> {
        clocks::portable()
    }

    fn environment(&self) -> Environment {
        Environment::default()
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(AlwaysRunning(self.clone()))
    }
}

/// A thread that always has its processor and never queues.
struct AlwaysRunning(VirtualOs);

impl ThreadTimes for AlwaysRunning {
    fn processor(&self) -> Duration {
        self.0.now().duration_since(Instant::ZERO)
    }

    fn queue(&self) -> Option<Duration> {
        Some(Duration::ZERO)
    }
}

mod questions;

const MILLISECOND: Duration = Duration::from_millis(1);

/// By how many microseconds a wait ends late, by its number; negative if it ends early.
type Script = fn(u64) -> i64;

/// Wakes as its script says, and records its name each time.
struct Scripted {
    os: VirtualOs,
    name: &'static str,
    waits: u64,
    script: Script,
    diary: Rc<RefCell<Vec<&'static str>>>,
}

impl Wait for Scripted {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.diary.borrow_mut().push(self.name);
        let late_us = (self.script)(self.waits);
        self.waits += 1;
        let woke = deadline.as_nanos().saturating_add_signed(late_us * 1_000);
        self.os.spin_until(Instant::from_nanos(woke), Spin::Pause)
    }
}

#[derive(Default)]
struct Followed {
    series: Vec<Option<Series>>,
    stop_after: Option<u64>,
    made: u64,
}

impl Observer<Series> for Followed {
    fn begins(&mut self, methods: Vec<String>, _: Vec<Unavailable>) {
        self.series = vec![None; methods.len()];
    }

    fn block(&mut self, contender: usize, series: &Series, waits_made: u64) {
        self.series
            .resize(self.series.len().max(contender + 1), None);
        self.series[contender] = Some(series.clone());
        self.made = waits_made;
    }

    fn stops(&self) -> bool {
        self.stop_after.is_some_and(|after| self.made >= after)
    }
}

/// Measures scripted methods at 1 ms. Returns the observer's series, and the order in which the
/// methods waited.
fn measured(
    waits: u64,
    scripts: &[(&'static str, Script)],
    observer: Followed,
) -> (Vec<Series>, Vec<&'static str>) {
    measured_within(waits, None, scripts, observer)
}

fn measured_within(
    waits: u64,
    takes: Option<Duration>,
    scripts: &[(&'static str, Script)],
    mut observer: Followed,
) -> (Vec<Series>, Vec<&'static str>) {
    let os = VirtualOs::new();
    let diary = Rc::default();
    let contender = |&(name, script): &(&'static str, Script)| Contender {
        name: name.to_owned(),
        wait: Box::new(Scripted {
            os: os.clone(),
            name,
            waits: 0,
            script,
            diary: Rc::clone(&diary),
        }),
    };
    let mut contenders: Vec<_> = scripts.iter().map(contender).collect();
    let period = Period::try_from(MILLISECOND).unwrap();
    let plan = Plan {
        period,
        waits,
        takes,
    };
    measure(&os, &plan, &mut contenders, &mut observer);
    drop(contenders);
    let series = observer.series.into_iter().flatten().collect();
    (series, Rc::into_inner(diary).unwrap().into_inner())
}

/// Of 60 waits (after 50 of warm-up), one is 3.5 periods late.
fn stall(wait: u64) -> i64 {
    if wait == 70 { 3_500 } else { 0 }
}

#[test]
fn a_stall_counts_once_per_wake_and_for_every_deadline_it_swallows() {
    let (series, _) = measured(60, &[("stalls", stall)], Followed::default());
    let series = &series[0];
    assert_eq!(
        (series.per_wake.count(), series.missed, series.early),
        (60, 3, 0)
    );
    assert_eq!(series.per_deadline.count(), 63);
    assert_eq!(series.per_wake.max(), 3_500 * MILLISECOND / 1_000);
    let late = |distribution: &punctual_data::histogram::Histogram, bound_us| {
        let share = distribution.share_above(Duration::from_micros(bound_us));
        (share * distribution.count() as f64).round()
    };
    // 3.5, 2.5, 1.5 and 0.5 ms late: four deadlines, one wake.
    assert_eq!(late(&series.per_wake, 100), 1.0);
    for (bound_us, deadlines) in [(100, 4.0), (1_000, 3.0), (2_000, 2.0), (3_000, 1.0)] {
        assert_eq!(
            late(&series.per_deadline, bound_us),
            deadlines,
            "{bound_us} µs"
        );
    }
}

#[test]
fn the_warm_up_is_not_counted() {
    let late_at_first = |wait| if wait < 50 { 900 } else { 0 };
    let (series, diary) = measured(60, &[("warms", late_at_first)], Followed::default());
    assert_eq!(series[0].per_wake.max(), Duration::ZERO);
    assert_eq!(diary.len(), 110);
}

#[test]
fn early_wakes_are_counted_and_are_not_late() {
    let early = |wait| if wait % 2 == 0 { -10 } else { 0 };
    let (series, _) = measured(60, &[("early", early)], Followed::default());
    assert_eq!(series[0].early, 30);
    assert_eq!(series[0].per_wake.max(), Duration::ZERO);
    assert_eq!(
        series[0].per_wake.count(),
        60,
        "an early wake does not serve its deadline twice"
    );
}

#[test]
fn methods_take_turns_of_50_ms_and_the_rest_comes_last() {
    let punctual: Script = |_| 0;
    let (series, diary) = measured(60, &[("a", punctual), ("b", punctual)], Followed::default());
    let turns: Vec<_> = diary
        .chunk_by(|a, b| a == b)
        .map(|turn| (turn[0], turn.len()))
        .collect();
    let expected = [
        ("a", 50),
        ("b", 50),
        ("a", 50),
        ("b", 50),
        ("a", 10),
        ("b", 10),
    ];
    assert_eq!(turns, expected);
    assert!(series.iter().all(|series| series.per_wake.count() == 60));
}

#[test]
fn stopping_keeps_what_was_measured() {
    let observer = Followed {
        stop_after: Some(150),
        ..Followed::default()
    };
    let punctual: Script = |_| 0;
    let (series, _) = measured(1_000, &[("a", punctual), ("b", punctual)], observer);
    let counts: Vec<_> = series
        .iter()
        .map(|series| series.per_wake.count())
        .collect();
    assert_eq!(counts, [50, 0]);
}

#[test]
fn a_spinning_thread_has_its_processor_all_the_time() {
    let (series, _) = measured(60, &[("any", |_| 0)], Followed::default());
    assert!(series[0].processor_share() > 0.99);
    let split = series[0].split.as_ref().unwrap();
    assert_eq!(split.queue.max(), Duration::ZERO);
    assert_eq!(split.timer.count(), 60);
}

/// 15 ms late each time, as where timer interrupts end waits.
fn coarse(_: u64) -> i64 {
    15_000
}

#[test]
fn methods_that_are_not_punctual_take_no_longer_than_there_is_time() {
    let takes = 400 * MILLISECOND;
    let scripts: [(&str, Script); 2] = [("coarse", coarse), ("fine", |_| 0)];
    let observer = Followed::default();
    let (series, diary) = measured_within(150, Some(takes), &scripts, observer);
    // Three turns of 50 ms each that count, and one that does not, of four waits of 16 ms or of 50
    // of one.
    assert_eq!(series[0].per_wake.count(), 12);
    assert_eq!(series[1].per_wake.count(), 150);
    assert_eq!(diary.len(), 16 + 200);
    // All planned waits were made, if time is not the limit.
    let (series, _) = measured(150, &scripts, Followed::default());
    let counts = [0, 1].map(|index| series[index].per_wake.count());
    assert_eq!(counts, [150, 150]);
}

#[test]
fn long_periods_have_turns_of_one_wait() {
    let plan = |period, waits| Plan {
        period: Period::try_from(period).unwrap(),
        waits,
        takes: None,
    };
    let hour = plan(3_600_000 * MILLISECOND, 10);
    assert_eq!((hour.waits_per_block(), hour.warm_up()), (1, 1));
    assert_eq!(hour.expected_duration(2), 22 * 3_600_000 * MILLISECOND);
    assert_eq!(plan(MILLISECOND, 7).waits_per_block(), 7);
    assert_eq!(
        plan(Duration::from_secs(1 << 31), u64::MAX / 2).expected_duration(13),
        Duration::MAX
    );
}
