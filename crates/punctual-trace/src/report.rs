//! The summary of many wake-ups: how many were explained, and how much of their lateness each cause
//! took.

use crate::names::Names;
use crate::segment::{Cause, Reason, Segment, Verdict, WakeUp, Who};
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A summary of explained wake-ups, with names instead of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The number of wake-ups that were explained exactly.
    pub exact: usize,
    /// The number of merged wake-ups: "ready" and "after the switch" could not be told apart.
    pub merged: usize,
    /// The number of all wake-ups.
    pub of: usize,
    /// Why the others could not be explained, the most frequent reason first.
    pub unexplained: Vec<UnexplainedRow>,
    /// The processors on which their threads were seen to run.
    pub processors: Vec<u16>,
    /// The lateness of all explained wake-ups, in nanoseconds.
    pub lateness_ns: u64,
    /// The causes of that lateness, the greatest first.
    pub causes: Vec<CauseRow>,
    /// Every wake-up, in the order of time.
    pub wakeups: Vec<WakeUpRow>,
}

/// A reason, and how many wake-ups it leaves unexplained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnexplainedRow {
    /// The reason's name.
    pub reason: String,
    /// The reason as a sentence's end: "it was not …".
    pub because: String,
    /// How many.
    pub count: usize,
}

/// A cause, with its totals over all wake-ups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CauseRow {
    /// Why the time passed.
    pub cause: Cause,
    /// What had the processor; threads with the same name count as one.
    pub who: String,
    /// In how many wake-ups.
    pub wakeups: usize,
    /// How long in all, in nanoseconds.
    pub total_ns: u64,
    /// How long at most in one wake-up.
    pub max_ns: u64,
    /// The share of all lateness that was explained, 0 to 1.
    pub share: f64,
}

/// A wake-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakeUpRow {
    /// The thread that woke.
    pub thread: String,
    /// When it should have, on the clock of the trace.
    pub deadline_ns: u64,
    /// How late it was.
    pub lateness_ns: u64,
    /// `exact`, `merged`, or the reason why it is unexplained.
    pub verdict: String,
    /// What the lateness consists of; they add up to it. Empty if it is unexplained.
    pub segments: Vec<SegmentRow>,
}

/// A part of a lateness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentRow {
    /// Why it passed.
    pub cause: Cause,
    /// Who had the processor.
    pub who: String,
    /// How long it was.
    pub ns: u64,
}

impl Report {
    /// Puts wake-ups that were explained from this trace together.
    pub fn new(trace: &Trace, wake_ups: &[WakeUp]) -> Self {
        let names = &trace.names;
        let count = |verdict| wake_ups.iter().filter(|up| up.verdict == verdict).count();
        let explained = || wake_ups.iter().filter(|up| is_explained(up));
        let lateness_ns = explained().map(|up| up.wait.lateness_ns()).sum();
        let mut wakeups: Vec<_> = wake_ups.iter().map(|up| row(up, names)).collect();
        wakeups.sort_by_key(|up| up.deadline_ns);
        Self {
            exact: count(Verdict::Exact),
            merged: count(Verdict::Merged),
            of: wake_ups.len(),
            unexplained: unexplained(wake_ups),
            processors: processors(trace, wake_ups),
            lateness_ns,
            causes: causes(explained(), names, lateness_ns),
            wakeups,
        }
    }

    /// How many wake-ups could be explained.
    pub fn explained(&self) -> usize {
        self.exact + self.merged
    }

    /// The wake-ups that were explained, the latest first.
    pub fn worst(&self) -> Vec<&WakeUpRow> {
        let mut worst: Vec<_> = self.wakeups.iter().collect();
        worst.retain(|up| !up.segments.is_empty());
        worst.sort_by_key(|up| std::cmp::Reverse(up.lateness_ns));
        worst
    }
}

fn is_explained(wake_up: &WakeUp) -> bool {
    !matches!(wake_up.verdict, Verdict::Unexplained(_))
}

fn row(wake_up: &WakeUp, names: &Names) -> WakeUpRow {
    let segment = |segment: &Segment| SegmentRow {
        cause: segment.cause,
        who: segment.who.name(names),
        ns: segment.ns,
    };
    WakeUpRow {
        thread: names.thread(wake_up.wait.thread),
        deadline_ns: wake_up.wait.deadline.as_nanos(),
        lateness_ns: wake_up.wait.lateness_ns(),
        verdict: match wake_up.verdict {
            Verdict::Exact => "exact",
            Verdict::Merged => "merged",
            Verdict::Unexplained(reason) => reason.name(),
        }
        .to_owned(),
        segments: wake_up.segments.iter().map(segment).collect(),
    }
}

fn unexplained(wake_ups: &[WakeUp]) -> Vec<UnexplainedRow> {
    let mut counts: BTreeMap<Reason, usize> = BTreeMap::new();
    for wake_up in wake_ups {
        if let Verdict::Unexplained(reason) = wake_up.verdict {
            *counts.entry(reason).or_default() += 1;
        }
    }
    let row = |(reason, count): (Reason, usize)| UnexplainedRow {
        reason: reason.name().to_owned(),
        because: reason.to_string(),
        count,
    };
    let mut rows: Vec<_> = counts.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}

fn processors(trace: &Trace, wake_ups: &[WakeUp]) -> Vec<u16> {
    let mut threads: Vec<_> = wake_ups.iter().map(|up| up.wait.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let used = trace.processors_of(&threads);
    used.into_iter().map(|processor| processor.0).collect()
}

#[derive(Default)]
struct Total {
    wakeups: usize,
    total_ns: u64,
    max_ns: u64,
}

fn causes<'a>(
    wake_ups: impl Iterator<Item = &'a WakeUp>,
    names: &Names,
    lateness_ns: u64,
) -> Vec<CauseRow> {
    let mut totals: BTreeMap<(Cause, String), Total> = BTreeMap::new();
    for wake_up in wake_ups {
        for (key, ns) in of_one(wake_up, names) {
            let total = totals.entry(key).or_default();
            total.wakeups += 1;
            total.total_ns += ns;
            total.max_ns = total.max_ns.max(ns);
        }
    }
    let row = |((cause, who), total): ((Cause, String), Total)| CauseRow {
        cause,
        who,
        wakeups: total.wakeups,
        total_ns: total.total_ns,
        max_ns: total.max_ns,
        share: total.total_ns as f64 / lateness_ns.max(1) as f64,
    };
    let mut rows: Vec<_> = totals.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.total_ns));
    rows
}

/// How long each cause took in one wake-up, however many segments it has there.
fn of_one(wake_up: &WakeUp, names: &Names) -> BTreeMap<(Cause, String), u64> {
    let mut causes = BTreeMap::new();
    for segment in &wake_up.segments {
        let who = match segment.who {
            Who::Thread(thread) if thread == wake_up.wait.thread => "itself".to_owned(),
            Who::Thread(thread) => names.thread_name(thread),
            other => other.name(names),
        };
        *causes.entry((segment.cause, who)).or_default() += segment.ns;
    }
    causes
}
