//! A tally of wake-ups against all of them at once.

use proptest::prelude::*;
use punctual::Instant;
use punctual_trace::report::Tally;
use punctual_trace::{
    Cause, Lateness, Names, Occupant, ProcessorId, Reason, Report, Segment, ThreadId, Verdict,
    Wait, WakeUp,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;

const SLEEPER: ThreadId = ThreadId(7);

fn named() -> Names {
    let mut names = Names::default();
    names.name_thread(SLEEPER, "sleeper");
    // Two threads of one name count as one.
    names.name_thread(ThreadId(1), "other");
    names.name_thread(ThreadId(2), "other");
    names
}

fn segment() -> impl Strategy<Value = Segment> {
    let occupant = prop_oneof![
        Just(Occupant::Idle),
        Just(Occupant::Thread(SLEEPER)),
        Just(Occupant::Thread(ThreadId(1))),
        Just(Occupant::Thread(ThreadId(2))),
    ];
    let cause = prop::sample::select(&Cause::ALL[..]);
    (cause, occupant, 1_u64..5_000).prop_map(|(cause, occupant, ns)| Segment {
        cause,
        occupant,
        priority: None,
        ns,
    })
}

fn wake_up() -> impl Strategy<Value = WakeUp> {
    let segments = prop::collection::vec(segment(), 0..5);
    let processor = prop::option::of((0_u16..3).prop_map(ProcessorId));
    let how = prop_oneof![
        3 => Just((Verdict::Exact, Lateness::Known)),
        1 => Just((Verdict::Ambiguous, Lateness::AtMost)),
        1 => Just((Verdict::Unexplained(Reason::NoReady), Lateness::Known)),
        1 => Just((Verdict::Unexplained(Reason::NoTimer), Lateness::Unknown)),
    ];
    (segments, processor, how).prop_map(|(mut segments, processor, (verdict, lateness))| {
        let late: u64 = segments.iter().map(|segment| segment.ns).sum();
        if let Verdict::Unexplained(_) = verdict {
            segments.clear();
        }
        let wait = Wait {
            thread: SLEEPER,
            began: Instant::ZERO,
            deadline: Instant::ZERO,
            woke: Instant::from_nanos(late),
        };
        WakeUp {
            wait,
            lateness,
            processor,
            verdict,
            woken_by: Vec::new(),
            preemption: None,
            stacks: Vec::new(),
            segments,
        }
    })
}

/// Wake-ups one after the other.
fn wake_ups() -> impl Strategy<Value = Vec<WakeUp>> {
    prop::collection::vec(wake_up(), 0..150).prop_map(|mut all| {
        for (second, up) in (1..).zip(&mut all) {
            let deadline = Instant::from_nanos(second * 1_000_000_000);
            let late = up.wait.woke.duration_since(Instant::ZERO);
            (up.wait.deadline, up.wait.woke) = (deadline, deadline + late);
        }
        all
    })
}

fn name_of(segment: &Segment) -> &'static str {
    match segment.occupant {
        Occupant::Thread(SLEEPER) => "itself",
        Occupant::Thread(_) => "other",
        _ => "idle",
    }
}

fn of_cause<'a>(
    up: &'a WakeUp,
    cause: Cause,
    occupant: &'a str,
) -> impl Iterator<Item = u64> + Clone + 'a {
    let segments = up.segments.iter();
    let same = segments.filter(move |part| part.cause == cause && name_of(part) == occupant);
    same.map(|part| part.ns)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_worst_are_those_of_all(all in wake_ups(), keep in 0_usize..40) {
        let mut tally = Tally::new(keep);
        let names = named();
        all.iter().for_each(|up| tally.note(up, &names));
        let report = tally.report(None);
        let mut latest: Vec<&WakeUp> = all.iter().collect();
        latest.sort_by_key(|up| Reverse(up.lateness_ns()));
        latest.truncate(keep);
        latest.sort_by_key(|up| up.wait.woke);
        prop_assert_eq!(report.left_out, all.len() - latest.len());
        let kept = report.wakeups.iter().map(|row| (row.woke_ns, row.lateness_ns));
        let expected = latest.iter().map(|up| (up.wait.woke.as_nanos(), up.lateness_ns()));
        prop_assert_eq!(kept.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        // What is left out of the rows is in everything else.
        let whole = Tally::of(&all, &named()).report(None);
        prop_assert_eq!(&whole.causes, &report.causes);
        prop_assert_eq!(&whole.lateness, &report.lateness);
        prop_assert_eq!(&whole.batches, &report.batches);
    }

    #[test]
    fn totals_are_those_of_all(all in wake_ups()) {
        let report = Tally::of(&all, &named()).report(None);
        let explained: Vec<_> = all.iter().filter(|up| up.is_explained()).collect();
        prop_assert_eq!((report.explained(), report.of), (explained.len(), all.len()));
        let total: u64 = explained.iter().map(|up| up.wait.lateness_ns()).sum();
        prop_assert_eq!(report.lateness_ns, total);
        prop_assert_eq!(report.causes.iter().map(|row| row.total_ns).sum::<u64>(), total);
        let known = all.iter().filter_map(WakeUp::lateness_ns);
        prop_assert_eq!(report.lateness.count, known.clone().count() as u64);
        prop_assert_eq!(report.lateness.distribution.max_ns, known.max().unwrap_or(0));
        for row in &report.causes {
            let of_row = |up: &&WakeUp| of_cause(up, row.cause, &row.occupant).sum::<u64>();
            let runs = || explained.iter().flat_map(|up| of_cause(up, row.cause, &row.occupant));
            let sums = explained.iter().map(of_row).filter(|&ns| ns > 0);
            prop_assert_eq!(row.wakeups, sums.clone().count());
            prop_assert_eq!(row.runs, runs().count());
            prop_assert_eq!(row.total_ns, runs().sum::<u64>());
            prop_assert_eq!(row.max_ns, sums.max().unwrap());
            prop_assert_eq!(row.longest_ns, runs().max().unwrap());
        }
    }

    #[test]
    fn batches_are_windows_of_equal_length_that_hold_everything(all in wake_ups()) {
        let report = Tally::of(&all, &named()).report(None);
        let explained = report.explained() as u64;
        prop_assert!(report.batches.len() <= 64);
        prop_assert_eq!(report.batches.iter().map(|batch| batch.wakeups).sum::<u64>(), explained);
        if let Some((last, full)) = report.batches.split_last() {
            prop_assert!(full.iter().all(|batch| batch.wakeups == full[0].wakeups));
            prop_assert!(full.iter().all(|batch| last.wakeups <= batch.wakeups));
        }
        let mut by_cause: BTreeMap<Cause, u64> = BTreeMap::new();
        for batch in &report.batches {
            for (&cause, &ns) in &batch.ns_by_cause {
                *by_cause.entry(cause).or_default() += ns;
            }
        }
        let mut expected: BTreeMap<Cause, u64> = BTreeMap::new();
        for row in &report.causes {
            *expected.entry(row.cause).or_default() += row.total_ns;
        }
        prop_assert_eq!(by_cause, expected);
    }

    #[test]
    fn what_is_written_is_read(all in wake_ups()) {
        let report = Tally::of(&all, &named()).report(Some(1_763_823_843_000_000_000));
        let written = serde_json::to_string(&report).unwrap();
        let read: Report = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(read.wakeups, report.wakeups);
        prop_assert_eq!(read.batches, report.batches);
        prop_assert_eq!(read.lateness, report.lateness);
    }
}

#[test]
fn names_without_end_become_others() {
    let mut names = Names::default();
    let mut tally = Tally::new(0);
    const MANY: u32 = 10_000;
    for number in 1..=MANY {
        let culprit = ThreadId(100 + number);
        names.name_thread(culprit, &format!("worker {number}"));
        let wake_up = WakeUp {
            wait: Wait {
                thread: SLEEPER,
                began: Instant::ZERO,
                deadline: Instant::ZERO,
                woke: Instant::from_nanos(5),
            },
            lateness: Lateness::Known,
            processor: None,
            verdict: Verdict::Exact,
            woken_by: Vec::new(),
            preemption: None,
            stacks: Vec::new(),
            segments: vec![Segment {
                cause: Cause::RunQueueWait,
                occupant: Occupant::Thread(culprit),
                priority: None,
                ns: 5,
            }],
        };
        tally.note(&wake_up, &names);
    }
    let report = tally.report(None);
    assert!(report.causes.len() < 5_000, "{}", report.causes.len());
    let others = &report.causes[0];
    assert_eq!(others.occupant, "others");
    assert!(others.wakeups > 5_000);
    let total: u64 = report.causes.iter().map(|row| row.total_ns).sum();
    assert_eq!(total, 5 * u64::from(MANY));
}
