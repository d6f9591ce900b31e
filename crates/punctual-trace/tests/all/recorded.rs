//! Recorded traces, and what is made of each: see `traces/README.md`.

use punctual_trace::recording::Explained;
use punctual_trace::report::{Tally, WakeUpRow};
use punctual_trace::{Recording, Report};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// All that matters of a report, as text of which differences can be read.
fn text(report: &Report) -> String {
    let mut text = format!(
        "{} exact, {} ambiguous, of {}; on processors {:?}\n",
        report.exact, report.ambiguous, report.of, report.processors
    );
    for row in &report.unexplained {
        writeln!(text, "{} {}", row.count, row.reason).unwrap();
    }
    for up in &report.wakeups {
        let segments: Vec<_> = up
            .segments
            .iter()
            .map(|part| format!("{} {} ({})", part.ns, part.cause, part.occupant))
            .collect();
        let lateness = match (up.lateness_ns, up.is_at_most) {
            (None, _) => "?".to_owned(),
            (Some(ns), true) => format!("at most {ns}"),
            (Some(ns), false) => ns.to_string(),
        };
        let (thread, verdict) = (&up.thread, &up.verdict);
        let woken = up.woken_by.iter();
        let woken: String = woken
            .map(|waker| format!(" <- {} {}", waker.name, waker.before_ns))
            .collect();
        let sum = segments.join(" + ");
        writeln!(text, "{thread} {lateness} {verdict}: {sum}{woken}").unwrap();
    }
    text
}

fn adds_up(up: &WakeUpRow) -> bool {
    let sum: u64 = up.segments.iter().map(|segment| segment.ns).sum();
    let is_explained = up.verdict == "exact" || up.verdict == "ambiguous";
    if is_explained {
        Some(sum) == up.lateness_ns
    } else {
        up.segments.is_empty()
    }
}

fn check(name: &str) -> Report {
    let path = |end: &str| -> PathBuf {
        let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
        traces.join(format!("{name}.{end}"))
    };
    let recording = Recording::read(&fs::read(path("trace")).unwrap()).unwrap();
    let Explained {
        trace, wake_ups, ..
    } = recording.explain().unwrap();
    let report = Tally::of(&wake_ups, &trace.names).report(None);
    for up in &report.wakeups {
        assert!(adds_up(up), "{name}: {up:?}");
    }
    let made = text(&report);
    if std::env::var_os("PUNCTUAL_BLESS").is_some() {
        fs::write(path("txt"), &made).unwrap();
    }
    let expected = fs::read_to_string(path("txt")).unwrap();
    for (made, expected) in made.lines().zip(expected.lines()) {
        assert_eq!(made, expected, "{name}");
    }
    assert_eq!(made.lines().count(), expected.lines().count(), "{name}");
    report
}

#[test]
fn events_lost_in_the_idle_task_of_a_processor_merge_two_segments() {
    let report = check("idle");
    assert_eq!(report.explained(), report.of);
    assert!(report.ambiguous > 0);
    let has_merged = |up: &&WakeUpRow| {
        up.segments
            .iter()
            .any(|part| part.cause.name() == "ambiguous")
    };
    assert_eq!(
        report.wakeups.iter().filter(has_merged).count(),
        report.ambiguous
    );
}

#[test]
fn other_threads_are_named() {
    let report = check("busy");
    assert_eq!(report.explained(), report.of);
    let mut causes = report.causes.iter();
    assert!(causes.any(|row| row.cause.name() == "run-queue-wait" && row.occupant == "rustc"));
}

#[test]
fn a_thread_that_is_woken_on_its_way_to_sleep_never_slept() {
    let report = check("waking-before-switch");
    assert_eq!(report.explained(), report.of);
    let interrupted_itself = |up: &&WakeUpRow| {
        let mut parts = up.segments.iter();
        parts.any(|part| part.cause.name() == "interrupt-late" && part.occupant == up.thread)
    };
    assert!(report.wakeups.iter().filter(interrupted_itself).count() > 20);
}

#[test]
fn threads_that_exit_were_explained_before() {
    let report = check("exits");
    assert_eq!((report.explained(), report.of), (3, 3));
    // Three processes, one wait each: of three milliseconds, of two, and of one.
    let mut threads: Vec<_> = report.wakeups.iter().map(|up| &up.thread).collect();
    threads.dedup();
    assert_eq!(threads.len(), 3);
}

#[test]
fn what_an_overrun_touches_is_not_explained() {
    let report = check("overrun");
    assert!(
        report
            .unexplained
            .iter()
            .any(|row| row.reason == "events-lost")
    );
    assert!(report.explained() > 0, "what it did not touch is");
}

/// It spun for whole periods, because the load had made its margin long.
#[test]
fn a_spin_that_outlasts_its_turn_is_told_when_that_was_over() {
    let report = check("slice-expired");
    assert_eq!(report.explained(), report.of);
    let latest = &report.causes[0];
    assert_eq!(
        (latest.cause.name(), latest.occupant.as_str()),
        ("slice-expired", "punctual")
    );
    for up in &report.wakeups {
        let Some(preemption) = up.preemption else {
            assert_eq!(took(up, "slice-expired"), 0, "{up:?}");
            continue;
        };
        // Away from then on, except for handlers of interrupts and the way back.
        assert!(preemption.before_ns >= took(up, "slice-expired"), "{up:?}");
        assert!(preemption.had_for_ns.is_some(), "{up:?}");
    }
}

#[test]
fn a_thread_that_is_woken_and_not_more_urgent_had_no_turn_to_lose() {
    let report = check("not-urgent");
    assert_eq!(report.explained(), report.of);
    let latest = &report.causes[0];
    assert_eq!(
        (latest.cause.name(), latest.occupant.as_str()),
        ("run-queue-wait", "punctual")
    );
    assert!(report.wakeups.iter().all(|up| up.preemption.is_none()));
    // One kept the processor to the kernel's tick. There it chose another.
    let mut passed_over = report.wakeups.iter().map(|up| took(up, "picked-another"));
    assert!(passed_over.any(|ns| ns == 3_985_365));
}

/// What the recorded program wrote itself, a line for each wait: its deadline, how late it read the clock
/// after it, and for how long its control group was throttled meanwhile (0 if it had none).
fn own_account(name: &str) -> BTreeMap<u64, (u64, u64)> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let text = fs::read_to_string(traces.join(format!("{name}.own"))).unwrap();
    let line = |line: &str| {
        let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        (numbers[0], (numbers[1], numbers[2]))
    };
    text.lines().map(line).collect()
}

/// How long a cause took in a wake-up.
fn took(up: &WakeUpRow, cause: &str) -> u64 {
    let segments = up.segments.iter();
    let of_cause = segments.filter(|segment| segment.cause.name() == cause);
    of_cause.map(|segment| segment.ns).sum()
}

/// Checks a recording against what its program wrote, and returns how long a cause took in each wait of
/// the program, in the order of time.
fn check_against_own_account(name: &str, cause: &str) -> Vec<u64> {
    /// From the switch to the thread or the end of its call until it has read the clock: the machine was
    /// busy, and the way back to the program after a quota or a stop is long.
    const UNTIL_THE_CLOCK_NS: u64 = 12_000;
    let report = check(name);
    let own = own_account(name);
    let mut times = Vec::new();
    for up in &report.wakeups {
        let Some(&(lateness_ns, throttled_ns)) = up.deadline_ns.and_then(|at| own.get(&at)) else {
            continue;
        };
        let found = up.lateness_ns.unwrap();
        assert!(
            (found..found + UNTIL_THE_CLOCK_NS).contains(&lateness_ns),
            "{name}: {up:?}"
        );
        assert!(
            took(up, "throttled").abs_diff(throttled_ns) < 50_000,
            "{name}: {up:?}"
        );
        times.push(took(up, cause));
    }
    assert_eq!(times.len(), own.len(), "{name}");
    times
}

const MS: u64 = 1_000_000;

#[test]
fn a_quota_is_what_the_control_group_says_it_was() {
    let times = check_against_own_account("throttled", "throttled");
    let held: Vec<_> = times.iter().filter(|&&ns| ns > 0).collect();
    assert!(held.len() == 1 && *held[0] > 11 * MS, "{times:?}");
}

#[test]
fn a_stopped_program_is_stopped() {
    let times = check_against_own_account("stopped", "stopped");
    assert_eq!(
        times.iter().filter(|&&ns| ns > 3 * MS).count(),
        2,
        "{times:?}"
    );
}

#[test]
fn a_thread_that_waits_for_a_lock_is_not_told_to_work_less() {
    let times = check_against_own_account("lock", "lock");
    assert_eq!(
        times.iter().filter(|&&ns| ns > 3 * MS).count(),
        1,
        "{times:?}"
    );
}

#[test]
fn a_thread_that_writes_to_a_disk_is_blocked() {
    let times = check_against_own_account("blocked", "blocked");
    assert!(
        times.iter().filter(|&&ns| ns > MS / 2).count() >= 2,
        "{times:?}"
    );
}

#[test]
fn what_ended_a_wait_is_named_and_what_had_woken_that() {
    let report = check("wakers");
    assert_eq!(report.explained(), report.of);
    let painter = |up: &&WakeUpRow| up.thread.starts_with("painter-");
    let painted: Vec<_> = report.wakeups.iter().filter(painter).collect();
    assert_eq!(painted.len(), 10);
    for up in painted {
        let wakers: Vec<_> = up.woken_by.iter().map(|waker| &waker.name).collect();
        let [first, second, ..] = &wakers[..] else {
            panic!("{up:?}")
        };
        assert!(first.starts_with("metronome-"), "{up:?}");
        assert_eq!(*second, "timer interrupt");
    }
    // The metronome's own waits are those of timers.
    let others = report.wakeups.iter().filter(|up| !painter(up));
    assert!(others.map(|up| up.woken_by.len()).eq([0; 10]));
}

#[test]
fn frames_are_late_against_the_grid_of_the_most_punctual() {
    let report = check("frames");
    assert_eq!((report.explained(), report.of), (10, 10));
    let deadlines = report.wakeups.iter().map(|up| up.deadline_ns.unwrap());
    let deadlines: Vec<_> = deadlines.collect();
    for pair in deadlines.windows(2) {
        assert_eq!(pair[1] - pair[0], 2_000_000);
    }
    assert!(report.wakeups.iter().any(|up| up.lateness_ns == Some(0)));
}
