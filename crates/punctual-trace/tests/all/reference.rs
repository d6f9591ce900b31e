//! Recordings of programs that knew their own wake-ups, held to what a reference says of each.
//!
//! `bench -- explain --truth --keep` made both at the same time: the recording, and from perf's own recording
//! the text file of the same name. It has a line for each wait, as `thread name deadline woke: parts`. The
//! reference shares no code with this crate.

use punctual_trace::recording::Explained;
use punctual_trace::report::{Tally, WakeUpRow};
use punctual_trace::{Cause, Recording};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Nanoseconds by part, in the reference's words.
type Parts = BTreeMap<String, u64>;

/// How far both may be apart, in nanoseconds: each tracer takes time between the readings of the other.
const TOLERANCE_NS: u64 = 5_000;
/// And, as one of so many of the lateness: parts are sums of many readings.
const PER_LATENESS: u64 = 1_000;

struct Reference {
    thread: String,
    deadline_ns: u64,
    parts: Parts,
}

fn file(name: &str, end: &str) -> Vec<u8> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    fs::read(traces.join(format!("{name}.{end}"))).unwrap()
}

fn reference(name: &str) -> Vec<Reference> {
    let text = String::from_utf8(file(name, "truth")).unwrap();
    let line = |line: &str| {
        let (head, parts) = line.split_once(": ").unwrap();
        let words: Vec<_> = head.split(' ').collect();
        let part = |part: &str| {
            let (ns, of) = part.split_once(' ').unwrap();
            (of.to_owned(), ns.parse().unwrap())
        };
        Reference {
            thread: format!("{}-{}", words[1], words[0]),
            deadline_ns: words[2].parse().unwrap(),
            parts: parts.split(" + ").map(part).collect(),
        }
    };
    text.lines().map(line).collect()
}

/// A wake-up in the reference's words.
fn parts(up: &WakeUpRow) -> Parts {
    let mut parts = Parts::new();
    for segment in &up.segments {
        let part = match segment.cause {
            Cause::ArmedLate => "own",
            Cause::AskedLate | Cause::Slack => "slack",
            Cause::RunQueueWait
            | Cause::Preempted
            | Cause::SliceExpired
            | Cause::PickedAnother
            | Cause::WakeUpPreemptionDelay => {
                let (_, thread) = segment.occupant.rsplit_once('-').unwrap();
                &format!("thread-{thread}")
            }
            Cause::Interrupt | Cause::Softirq => "interrupts",
            Cause::IdleExit | Cause::Migration => "idle",
            Cause::AfterSwitch => "after",
            other => other.name(),
        };
        *parts.entry(part.to_owned()).or_default() += segment.ns;
    }
    parts
}

/// Whether both are equally long in every part; `ambiguous` stands for two of the reference's.
fn agree(reference: &Parts, ours: &Parts) -> bool {
    let lateness: u64 = reference.values().sum();
    let tolerance = TOLERANCE_NS + lateness / PER_LATENESS;
    let is_ambiguous = ours.contains_key("ambiguous");
    let together = |parts: &Parts| {
        let mut together = Parts::new();
        for (part, ns) in parts {
            let part = match part.as_str() {
                "idle" | "after" if is_ambiguous => "ambiguous",
                part => part,
            };
            *together.entry(part.to_owned()).or_default() += ns;
        }
        together
    };
    let (reference, ours) = (together(reference), together(ours));
    let of = |parts: &Parts, part| parts.get(part).copied().unwrap_or_default();
    let mut all = reference.keys().chain(ours.keys());
    all.all(|part| of(&reference, part).abs_diff(of(&ours, part)) <= tolerance)
}

/// Checks every wait of the reference, and returns how many have each greatest part.
fn check(name: &str) -> BTreeMap<String, usize> {
    let recording = Recording::read(&file(name, "trace")[..]).unwrap();
    let Explained {
        trace, wake_ups, ..
    } = recording.explain().unwrap();
    let report = Tally::of(&wake_ups, &trace.names).report(None);
    let mut greatest = BTreeMap::new();
    for wait in reference(name) {
        let is_it = |up: &&WakeUpRow| {
            let (_, number) = up.thread.rsplit_once('-').unwrap();
            let near = |at: u64| at.abs_diff(wait.deadline_ns) <= TOLERANCE_NS;
            wait.thread.ends_with(&format!("-{number}")) && up.deadline_ns.is_some_and(near)
        };
        // A wait that a signal has interrupted has begun again, with the same deadline.
        let found = report
            .wakeups
            .iter()
            .filter(is_it)
            .max_by_key(|up| up.woke_ns);
        let found = found.unwrap_or_else(|| panic!("{name}: no wait until {}", wait.deadline_ns));
        let ours = parts(found);
        assert!(
            agree(&wait.parts, &ours),
            "{name}: until {}: {:?} by the reference, {ours:?} by us",
            wait.deadline_ns,
            wait.parts
        );
        let (part, _) = wait.parts.iter().max_by_key(|(_, ns)| **ns).unwrap();
        let kind = if part.starts_with("thread-") {
            "thread"
        } else {
            part
        };
        *greatest.entry(kind.to_owned()).or_default() += 1;
    }
    greatest
}

/// At least so many waits were late mostly for this.
fn check_mostly(name: &str, part: &str, least: usize) {
    let greatest = check(name);
    let found = greatest.get(part).copied().unwrap_or_default();
    assert!(found >= least, "{name}: {greatest:?}");
}

#[test]
fn a_page_that_is_not_in_memory_blocks() {
    check_mostly("fault", "blocked", 2);
}

#[test]
fn a_pipe_that_is_written_too_late_is_slept_for() {
    check_mostly("pipe", "sleeping", 10);
}

#[test]
fn a_stop_is_told_from_what_the_timer_did() {
    check_mostly("stopped-for", "stopped", 2);
}

#[test]
fn a_real_time_thread_has_the_processor() {
    check_mostly("real-time", "thread", 3);
}

#[test]
fn the_last_waits_of_threads_end_before_they_exit() {
    check_mostly("threads", "thread", 5);
}

#[test]
fn a_timer_file_is_waited_for_in_two_calls() {
    check_mostly("epoll-timerfd", "interrupt-late", 1);
}
