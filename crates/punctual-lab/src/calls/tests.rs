//! The experiment in virtual time: when calls begin, what is counted, and what ends a series.

use super::*;
use crate::machine::Unavailable;
use crate::observer::Observer;
use crate::question::Refusal;
use crate::waiters::{Kind, Make, Wait, Waiter, WaiterOptions};
use crate::{Machine, Native};
use punctual::os::{Spin, VirtualOs};
use punctual::{Error, Instant, Os, Period};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

/// How often `tired` waits before the system refuses.
const STRENGTH: u64 = 130;

/// How a call of a machine in virtual time waits, by the number of the call and its length.
type Script = fn(u64, Duration) -> Result<Duration, Error>;

/// The calls of a machine in virtual time.
pub(crate) fn all() -> [Waiter<VirtualOs>; 4] {
    fn waiter(name: &'static str, unit: Duration, make: Make<VirtualOs>) -> Waiter<VirtualOs> {
        Waiter {
            deadlines: None,
            ..Waiter::after(name, "waits as a script says", unit, make)
        }
    }
    fn scripted(os: &VirtualOs, script: Script) -> Result<Box<dyn Wait>, Error> {
        let (os, made) = (os.clone(), 0);
        Ok(Box::new(Scripted { os, made, script }))
    }
    [
        waiter("uneven", MILLISECOND, |os, _| {
            scripted(os, |made, length| match made % 4 {
                0 => Ok(length - MILLISECOND / 2),
                _ => Ok(length + MILLISECOND / 10),
            })
        }),
        waiter("tired", MILLISECOND, |os, _| {
            scripted(os, |made, length| match made {
                ..=STRENGTH => Ok(length),
                _ => Err(Error::system("too tired")),
            })
        }),
        waiter("exact", Duration::from_nanos(1), |os, _| {
            scripted(os, |_, length| Ok(length))
        }),
        waiter("missing", MILLISECOND, |_, _| {
            Err(Error::unsupported("nothing has it"))
        }),
    ]
}

struct Scripted {
    os: VirtualOs,
    made: u64,
    script: Script,
}

impl Wait for Scripted {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        deadline
    }

    fn wait_for(&mut self, length: Duration) -> Result<(), Error> {
        self.made += 1;
        let until = self.os.now() + (self.script)(self.made, length)?;
        self.os.spin_until(until, Spin::Pause);
        Ok(())
    }
}

#[derive(Default)]
struct Followed {
    names: Vec<String>,
    series: Vec<Taken>,
    unavailable: Vec<Unavailable>,
    done: u64,
    blocks: u64,
    stop_after: Option<u64>,
}

impl Observer<Taken> for Followed {
    fn begins(&mut self, names: Vec<String>, unavailable: Vec<Unavailable>) {
        (self.names, self.unavailable) = (names, unavailable);
    }

    fn block(&mut self, index: usize, taken: &Taken, done: u64) {
        self.series.truncate(index);
        self.series.push(taken.clone());
        assert!(done >= self.done, "progress goes forward");
        (self.done, self.blocks) = (done, self.blocks + 1);
    }

    fn stops(&self) -> bool {
        self.stop_after.is_some_and(|after| self.done >= after)
    }
}

fn question(calls: &[&str], lengths_ms: &[u64], count: u64) -> Question {
    let lengths = lengths_ms
        .iter()
        .map(|&ms| MILLISECOND * u32::try_from(ms).unwrap());
    Question {
        waiters: calls.iter().map(|&call| call.to_owned()).collect(),
        ..Question::of(Lengths {
            count,
            ..Lengths::of(lengths.collect())
        })
    }
}

fn followed(os: &VirtualOs, question: &Question, stop_after: Option<u64>) -> Followed {
    let mut followed = Followed {
        stop_after,
        ..Followed::default()
    };
    question.run(os, &mut followed).unwrap();
    followed
}

#[test]
fn each_call_is_made_with_each_length_as_often_as_asked() {
    let asked = question(&["uneven", "exact"], &[2, 5], 400);
    let os = VirtualOs::new();
    let found = followed(&os, &asked, None);
    let names = ["uneven 2ms", "uneven 5ms", "exact 2ms", "exact 5ms"];
    assert_eq!(found.names, names);
    assert_eq!(asked.series::<VirtualOs>().unwrap(), names);
    assert_eq!(asked.steps::<VirtualOs>().unwrap(), found.done);
    assert!(
        found
            .series
            .iter()
            .all(|taken| taken.durations_ns.len() == 400)
    );
    let records: Vec<_> = found.series.iter().map(SeriesRecord::from).collect();
    assert_eq!((records[0].early, records[2].early), (100, 0));
    let near: Vec<_> = records[1].clusters.iter().map(|near| near.count).collect();
    assert_eq!(near, [100, 300]);
    let mean = records[1].mean_ns.unwrap();
    assert!(mean.abs_diff(4_950_000) < 100, "{mean}");
}

#[test]
fn a_call_gets_whole_units_and_the_recording_says_so() {
    let mut half = question(&["uneven", "exact"], &[], 4);
    half.schedule.lengths = vec![MILLISECOND / 2];
    let found = followed(&VirtualOs::new(), &half, None);
    let asked: Vec<_> = found.series.iter().map(|taken| taken.asked).collect();
    assert_eq!(asked, [MILLISECOND, MILLISECOND / 2]);
    let record = SeriesRecord::from(&found.series[0]);
    assert_eq!((record.length_ns, record.asked_ns), (500_000, 1_000_000));
    assert_eq!(record.early, 1, "early is what the system was asked for");
}

#[test]
fn a_stop_keeps_what_was_measured() {
    let found = followed(
        &VirtualOs::new(),
        &question(&["exact"], &[10, 20], 1_000),
        Some(100),
    );
    let counts: Vec<_> = found
        .series
        .iter()
        .map(|taken| taken.durations_ns.len())
        .collect();
    assert_eq!(counts.len(), 1);
    assert!((100..150).contains(&counts[0]), "{counts:?}");
}

#[test]
fn a_long_series_is_told_seldom_enough() {
    let found = followed(
        &VirtualOs::new(),
        &question(&["exact"], &[100], 20_000),
        None,
    );
    assert!((100..1_000).contains(&found.blocks), "{}", found.blocks);
}

#[test]
fn a_call_that_the_system_refuses_ends_its_series_and_no_other() {
    let found = followed(
        &VirtualOs::new(),
        &question(&["tired", "exact"], &[1], 200),
        None,
    );
    assert_eq!(found.series[0].failed.as_deref(), Some("too tired"));
    let warm_up = usize::try_from(WARM_UP.as_millis()).unwrap();
    let made = found.series[0].durations_ns.len();
    assert!(made.abs_diff(130 - warm_up) <= 1, "{made}");
    assert_eq!(found.series[1].failed, None);
    assert_eq!(found.series[1].durations_ns.len(), 200);
}

#[test]
fn what_the_machine_lacks_is_told_and_the_rest_runs() {
    let found = followed(
        &VirtualOs::new(),
        &question(&["missing", "exact"], &[1], 2),
        None,
    );
    assert_eq!(found.names, ["exact 1ms"]);
    assert_eq!(found.unavailable[0].name, "missing");
    let alone = question(&["missing"], &[1], 2);
    let error = alone.run(&VirtualOs::new(), &mut Followed::default());
    assert!(error.unwrap_err().to_string().contains("nothing has it"));
}

#[test]
fn names_that_are_wrong_are_refused_before_anything_runs() {
    let unknown = question(&["exact", "cat"], &[1], 1).series::<VirtualOs>();
    let known = vec!["uneven", "tired", "exact", "missing"];
    assert!(matches!(
        unknown,
        Err(Refusal::Unknown { kind: Kind::Lengths, name, known: found }) if name == "cat" && found == known
    ));
    let twice = question(&["exact", "exact"], &[1], 1).series::<VirtualOs>();
    assert!(matches!(twice, Err(Refusal::Twice { .. })));
    let all = question(&[], &[1], 1).series::<VirtualOs>().unwrap();
    assert_eq!(all.len(), known.len());
}

#[test]
fn work_and_moments_come_before_each_call_and_are_not_counted() {
    let at = |at, work| {
        let mut question = question(&["exact"], &[1], 1_000);
        (question.schedule.at, question.schedule.work) = (at, work);
        question
    };
    let elapsed = |asked: &Question| {
        let os = VirtualOs::new();
        let found = followed(&os, asked, None);
        let longest = found.series[0].durations_ns.iter().max().copied().unwrap();
        assert!(longest < 1_001_000, "{longest}");
        os.now().duration_since(Instant::ZERO).as_millis()
    };
    let tight = elapsed(&at(When::Tight, Duration::ZERO));
    assert_eq!(tight, 1_100);
    assert_eq!(elapsed(&at(When::Tight, MILLISECOND)), 2_100);
    // Ten milliseconds are the longest interval here.
    let random = elapsed(&at(When::Random, Duration::ZERO));
    assert!((5_700..6_300).contains(&random), "{random}");
    let again = elapsed(&at(When::Random, Duration::ZERO));
    assert_eq!(again, random, "the seed decides");
    let aligned = elapsed(&at(When::Aligned, Duration::ZERO));
    assert!((10_000..10_200).contains(&aligned), "{aligned}");
}

#[test]
fn every_call_of_this_system_waits() {
    let native = Native::detect().unwrap();
    let options = WaiterOptions::of(Period::from_hertz(1_000));
    for waiter in Native::waiters_for(Kind::Lengths) {
        let make = waiter.make(Kind::Lengths).unwrap();
        match make(&native, options) {
            Ok(mut wait) => {
                wait.wait_for(waiter.asked(MILLISECOND / 2)).unwrap();
                wait.end_turn();
            }
            Err(error) => println!("skipped: {} cannot be made here: {error}", waiter.name),
        }
    }
}

/// The thread has its own slack again afterwards, and no machine has what it does not vary.
#[test]
fn a_slack_is_held_while_it_is_measured() {
    let native = Native::detect().unwrap();
    let varied = Question {
        vary: "slack=100us,1ms".parse().ok(),
        ..question(&["nanosleep"], &[1], 8)
    };
    let slack = || native.environment().timer_slack_ns;
    let before = slack();
    let held = varied.at(MILLISECOND, 1).hold(&native);
    match held {
        Ok(held) => {
            assert_eq!(slack(), Some(1_000_000));
            drop(held);
        }
        Err(error) => println!("skipped: {error}"),
    }
    assert_eq!(slack(), before);
    let part = varied.at(MILLISECOND, 4);
    assert_eq!(part.schedule.count, 2);
    let refused = varied.series::<VirtualOs>();
    assert!(matches!(refused, Err(Refusal::Vary(_))), "{refused:?}");
}

#[test]
fn the_figures_are_those_of_the_durations() {
    let series = SeriesRecord::from(&Taken {
        call: "sleep".to_owned(),
        length: Duration::from_micros(500),
        asked: Duration::from_millis(1),
        durations_ns: vec![1_952_000, 15_625_000, 999_000, 1_953_000],
        failed: Some("refused".to_owned()),
    });
    assert_eq!(series.mean_ns, Some(5_132_250));
    assert_eq!(series.spread_ns, Some(6_070_486));
    assert_eq!(
        (series.min_ns, series.max_ns),
        (Some(999_000), Some(15_625_000))
    );
    assert_eq!(series.early, 1);
    assert_eq!(series.clusters.len(), 3);
}
