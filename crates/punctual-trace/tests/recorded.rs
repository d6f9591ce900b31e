//! Recorded traces, and what is made of each: see `traces/README.md`.

use punctual_trace::report::{Tally, WakeUpRow};
use punctual_trace::{Recording, Report};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// All that matters of a report, as text of which differences can be read.
fn text(report: &Report) -> String {
    let mut text = format!(
        "{} exact, {} merged, of {}; on processors {:?}\n",
        report.exact, report.merged, report.of, report.processors
    );
    for row in &report.unexplained {
        writeln!(text, "{} {}", row.count, row.reason).unwrap();
    }
    for up in &report.wakeups {
        let segments: Vec<_> = up
            .segments
            .iter()
            .map(|part| format!("{} {} ({})", part.ns, part.cause, part.who))
            .collect();
        let lateness = match (up.lateness_ns, up.is_at_most) {
            (None, _) => "?".to_owned(),
            (Some(ns), true) => format!("at most {ns}"),
            (Some(ns), false) => ns.to_string(),
        };
        let (thread, verdict) = (&up.thread, &up.verdict);
        writeln!(
            text,
            "{thread} {lateness} {verdict}: {}",
            segments.join(" + ")
        )
        .unwrap();
    }
    text
}

fn adds_up(up: &WakeUpRow) -> bool {
    let sum: u64 = up.segments.iter().map(|segment| segment.ns).sum();
    let is_explained = up.verdict == "exact" || up.verdict == "merged";
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
    let (trace, wake_ups) = recording.explain().unwrap();
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
    assert!(report.merged > 0);
    let has_merged = |up: &&WakeUpRow| up.segments.iter().any(|part| part.cause.name() == "merged");
    assert_eq!(
        report.wakeups.iter().filter(has_merged).count(),
        report.merged
    );
}

#[test]
fn other_threads_are_named() {
    let report = check("busy");
    assert_eq!(report.explained(), report.of);
    let mut causes = report.causes.iter();
    assert!(causes.any(|row| row.cause.name() == "thread" && row.who == "rustc"));
}

#[test]
fn a_thread_that_is_woken_on_its_way_to_sleep_never_slept() {
    let report = check("waking-before-switch");
    assert_eq!(report.explained(), report.of);
    let interrupted_itself = |up: &&WakeUpRow| {
        let mut parts = up.segments.iter();
        parts.any(|part| part.cause.name() == "interrupt-late" && part.who == up.thread)
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
