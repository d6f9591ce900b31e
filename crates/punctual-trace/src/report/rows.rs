//! The parts of a report, as they are written as JSON.

use super::batches::Batch;
use crate::segment::Cause;
use punctual_data::distribution::Distribution;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A summary of explained wake-ups, with names instead of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The number of wake-ups that were explained exactly.
    pub exact: usize,
    /// The number of ambiguous wake-ups: "ready" and "after the switch" could not be told apart.
    pub ambiguous: usize,
    /// The number of all wake-ups.
    pub of: usize,
    /// Why the others could not be explained, the most frequent reason first.
    pub unexplained: Vec<UnexplainedRow>,
    /// The processors on which the threads woke.
    pub processors: Vec<u16>,
    /// How late all wake-ups were whose lateness is known, or known to be at most so much; whether or
    /// not they were explained.
    pub lateness: Counted,
    /// The lateness of all explained wake-ups together, in nanoseconds.
    pub lateness_ns: u64,
    /// The causes of that lateness, the greatest first.
    pub causes: Vec<CauseRow>,
    /// The same in at most 64 windows of equally many explained wake-ups, in the order of time.
    pub batches: Vec<Batch>,
    /// The worst wake-ups, in the order of time.
    pub wakeups: Vec<WakeUpRow>,
    /// How many wake-ups were less late, and are left out of `wakeups`.
    pub left_out: usize,
}

/// How late wake-ups were, and how many.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The number of wake-ups.
    pub count: u64,
    /// How late each was.
    #[serde(flatten)]
    pub distribution: Distribution,
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
    /// What had the processor; threads with the same name and the same priority count as one.
    pub occupant: String,
    /// The priority of the thread that had it, such as `real-time 50` or `nice 0`, if it is another
    /// thread and the trace says so.
    pub priority: Option<String>,
    /// In how many wake-ups.
    pub wakeups: usize,
    /// How often, each time without interruption.
    pub runs: usize,
    /// How long in all, in nanoseconds.
    pub total_ns: u64,
    /// How long at most in one wake-up, all its runs together.
    pub max_ns: u64,
    /// How long the longest run was.
    pub longest_ns: u64,
    /// The share of all lateness that was explained, 0 to 1.
    pub share: f64,
}

/// A wake-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakeUpRow {
    /// The thread that woke.
    pub thread: String,
    /// The processor on which it woke, if that is known.
    pub processor: Option<u16>,
    /// When it should have woken, on the clock of the trace: in nanoseconds of the monotonic clock on
    /// Linux. `None` if that is not known.
    pub deadline_ns: Option<u64>,
    /// When it woke, on the same clock. If its lateness is not known: the last that was seen of it.
    pub woke_ns: u64,
    /// The same by the wall clock, such as `2026-11-22T15:04:05.123456789Z`, if the recording knows.
    pub woke_utc: Option<String>,
    /// How late it was; `None` if that is not known.
    pub lateness_ns: Option<u64>,
    /// Whether it was late by so much at most.
    pub is_at_most: bool,
    /// `exact`, `ambiguous`, or the reason why it is unexplained.
    pub verdict: String,
    /// What ended the wait if no timer did, then what had woken that, and so on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub woken_by: Vec<WakerRow>,
    /// When the processor was taken from the thread, if it is late because of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preemption: Option<PreemptionRow>,
    /// What the lateness consists of; they add up to it. Empty if it is unexplained.
    pub segments: Vec<SegmentRow>,
    /// Where the thread was when it left a processor, and where others were that left one to it, in the
    /// order of time. Only if stacks were recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<StackRow>,
}

/// What woke a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakerRow {
    /// A thread, or an interrupt.
    pub name: String,
    /// How long before the wake-up, in nanoseconds.
    pub before_ns: u64,
}

/// A processor that was taken from a thread while the thread wanted to keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreemptionRow {
    /// How long before the wake-up, in nanoseconds. More than the lateness if before the deadline.
    pub before_ns: u64,
    /// How long the thread had had it by then; `None` if that is not known.
    pub had_for_ns: Option<u64>,
}

/// Where in the kernel a thread was when it left a processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackRow {
    /// The thread: the one that waited, or one that left its processor to that.
    pub thread: String,
    /// How long before the wake-up.
    pub before_ns: u64,
    /// The functions, the innermost first; those whose name is not known as addresses.
    pub functions: Vec<String>,
}

/// A part of a lateness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentRow {
    /// Why it passed.
    pub cause: Cause,
    /// What had the processor.
    pub occupant: String,
    /// With which priority, as in the totals.
    pub priority: Option<String>,
    /// How long it was.
    pub ns: u64,
}

impl Report {
    /// Names the functions in the stacks, by their addresses.
    pub fn name_functions(&mut self, functions: &[(u64, String)]) {
        let text = |(address, name): &(u64, String)| (format!("{address:#x}"), name.clone());
        let names: HashMap<_, _> = functions.iter().map(text).collect();
        let stacks = self.wakeups.iter_mut().flat_map(|up| &mut up.stacks);
        for function in stacks.flat_map(|stack| &mut stack.functions) {
            if let Some(name) = names.get(function) {
                function.clone_from(name);
            }
        }
    }

    /// How many wake-ups could be explained.
    pub fn explained(&self) -> usize {
        self.exact.saturating_add(self.ambiguous)
    }

    /// The wake-ups in it whose lateness is known, the worst first. Of equally late ones, the earlier.
    pub fn worst(&self) -> Vec<&WakeUpRow> {
        let mut worst: Vec<_> = self.wakeups.iter().collect();
        worst.retain(|up| up.lateness_ns.is_some());
        worst.sort_by_key(|up| std::cmp::Reverse(up.lateness_ns));
        worst
    }
}
