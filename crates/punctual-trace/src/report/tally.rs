//! Takes one wake-up after the other, and makes a report of all.

use super::batches::Batches;
use super::causes::Causes;
use super::rows::{
    Counted, PreemptionRow, Report, SegmentRow, StackRow, UnexplainedRow, WakeUpRow, WakerRow,
};
use super::worst::Worst;
use crate::event::ProcessorId;
use crate::names::Names;
use crate::segment::{Lateness, Preemption, Reason, Segment, Stack, Verdict, WakeUp, Waker};
use punctual::Instant;
use punctual_data::distribution::Distribution;
use punctual_data::histogram::Histogram;
use punctual_data::quantity::whole_nanos;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

/// A report in the making. Its memory depends on how many wake-ups it keeps, not on how many it has
/// seen.
///
/// ```
/// use punctual::Instant;
/// use punctual_trace::report::Tally;
/// use punctual_trace::{Lateness, Names, ThreadId, Verdict, Wait, WakeUp};
///
/// let mut tally = Tally::new(1);
/// for late_ns in [300, 500, 400] {
///     let wait = Wait {
///         thread: ThreadId(7),
///         began: Instant::ZERO,
///         deadline: Instant::from_nanos(1_000),
///         woke: Instant::from_nanos(1_000 + late_ns),
///     };
///     let wake_up = WakeUp {
///         wait,
///         lateness: Lateness::Known,
///         processor: None,
///         verdict: Verdict::Exact,
///         segments: Vec::new(),
///         woken_by: Vec::new(),
///         preemption: None,
///         stacks: Vec::new(),
///     };
///     tally.note(&wake_up, &Names::default());
/// }
/// let report = tally.report(None);
/// assert_eq!((report.of, report.left_out), (3, 2));
/// assert_eq!(report.wakeups[0].lateness_ns, Some(500));
/// assert_eq!(report.lateness.distribution.p50_ns, 400);
/// ```
#[derive(Debug, Clone)]
pub struct Tally {
    exact: usize,
    ambiguous: usize,
    unexplained: BTreeMap<Reason, usize>,
    processors: BTreeSet<ProcessorId>,
    histogram: Histogram,
    lateness_ns: u64,
    causes: Causes,
    batches: Batches,
    worst: Worst,
}

impl Tally {
    /// No wake-ups yet. The report will list so many of the worst.
    pub fn new(keep: usize) -> Self {
        Self {
            exact: 0,
            ambiguous: 0,
            unexplained: BTreeMap::new(),
            processors: BTreeSet::new(),
            histogram: Histogram::default(),
            lateness_ns: 0,
            causes: Causes::default(),
            batches: Batches::default(),
            worst: Worst::at_most(keep),
        }
    }

    /// All of these, in any order.
    pub fn of(wake_ups: &[WakeUp], names: &Names) -> Self {
        let mut in_order: Vec<_> = wake_ups.iter().collect();
        in_order.sort_by_key(|up| up.wait.woke);
        let mut tally = Self::new(in_order.len());
        in_order.iter().for_each(|up| tally.note(up, names));
        tally
    }

    /// Takes in the next wake-up, in the order of time, with the names that its trace has now.
    pub fn note(&mut self, wake_up: &WakeUp, names: &Names) {
        match wake_up.verdict {
            Verdict::Exact => self.exact += 1,
            Verdict::Ambiguous => self.ambiguous += 1,
            Verdict::Unexplained(reason) => *self.unexplained.entry(reason).or_default() += 1,
        }
        self.processors.extend(wake_up.processor);
        let lateness_ns = wake_up.lateness_ns();
        if let Some(ns) = lateness_ns {
            self.histogram.record(Duration::from_nanos(ns));
        }
        if wake_up.is_explained() {
            let ns = wake_up.wait.lateness_ns();
            self.lateness_ns = self.lateness_ns.saturating_add(ns);
            self.causes.note(wake_up, names);
            self.batches.note(wake_up);
        }
        self.worst.note(lateness_ns, || row(wake_up, names));
    }

    /// The report of all so far. Its times of day are known if it is known how far the wall clock is
    /// ahead of the trace's clock, in nanoseconds.
    pub fn report(&self, realtime_ahead_ns: Option<i64>) -> Report {
        let mut wakeups = self.worst.rows();
        for row in &mut wakeups {
            row.woke_utc = realtime_ahead_ns.and_then(|ahead_ns| utc(row.woke_ns, ahead_ns));
        }
        let unexplained: usize = self.unexplained.values().sum();
        Report {
            exact: self.exact,
            ambiguous: self.ambiguous,
            of: self.exact + self.ambiguous + unexplained,
            unexplained: self.unexplained(),
            processors: self.processors.iter().map(|on| on.0).collect(),
            lateness: Counted {
                count: self.histogram.count(),
                distribution: Distribution::from(&self.histogram),
            },
            lateness_ns: self.lateness_ns,
            causes: self.causes.rows(self.lateness_ns),
            batches: self.batches.rows(),
            wakeups,
            left_out: self.worst.left_out(),
        }
    }

    fn unexplained(&self) -> Vec<UnexplainedRow> {
        let row = |(reason, &count): (&Reason, &usize)| UnexplainedRow {
            reason: reason.name().to_owned(),
            because: reason.to_string(),
            count,
        };
        let mut rows: Vec<_> = self.unexplained.iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.count));
        rows
    }
}

fn row(wake_up: &WakeUp, names: &Names) -> WakeUpRow {
    let segment = |(at, segment): (Instant, &Segment)| SegmentRow {
        cause: segment.cause,
        occupant: segment.occupant.name(names, at),
        priority: segment.priority.map(|priority| priority.to_string()),
        ns: segment.ns,
    };
    let (wait, lateness_ns) = (&wake_up.wait, wake_up.lateness_ns());
    WakeUpRow {
        thread: names.thread(wait.thread, wait.woke),
        processor: wake_up.processor.map(|on| on.0),
        deadline_ns: lateness_ns.map(|_| wait.deadline.as_nanos()),
        woke_ns: wait.woke.as_nanos(),
        woke_utc: None,
        lateness_ns,
        is_at_most: wake_up.lateness == Lateness::AtMost,
        verdict: match wake_up.verdict {
            Verdict::Exact => "exact",
            Verdict::Ambiguous => "ambiguous",
            Verdict::Unexplained(reason) => reason.name(),
        }
        .to_owned(),
        woken_by: wake_up
            .woken_by
            .iter()
            .map(|waker| waker_row(waker, wait.woke, names))
            .collect(),
        preemption: wake_up
            .preemption
            .as_ref()
            .map(|preemption| preemption_row(preemption, wait.woke)),
        segments: wake_up.timed_segments().map(segment).collect(),
        stacks: wake_up
            .stacks
            .iter()
            .map(|stack| stack_row(stack, wait.woke, names))
            .collect(),
    }
}

fn stack_row(stack: &Stack, woke: Instant, names: &Names) -> StackRow {
    let before = woke.duration_since(stack.at);
    StackRow {
        thread: names.thread(stack.thread, stack.at),
        before_ns: whole_nanos(before),
        functions: names.text(stack.text).lines().map(str::to_owned).collect(),
    }
}

fn preemption_row(preemption: &Preemption, woke: Instant) -> PreemptionRow {
    PreemptionRow {
        before_ns: whole_nanos(woke.duration_since(preemption.at)),
        had_for_ns: preemption
            .had_since
            .map(|since| whole_nanos(preemption.at.duration_since(since))),
    }
}

fn waker_row(waker: &Waker, woke: Instant, names: &Names) -> WakerRow {
    let before = woke.duration_since(waker.at);
    WakerRow {
        name: waker.occupant.name(names, waker.at),
        before_ns: whole_nanos(before),
    }
}

/// An instant of the trace's clock by the wall clock, if that is between 1970 and 2554, where all
/// nanoseconds fit into 64 bits.
fn utc(ns: u64, ahead_ns: i64) -> Option<String> {
    let since_1970 = Duration::from_nanos(ns.checked_add_signed(ahead_ns)?);
    let at = SystemTime::UNIX_EPOCH.checked_add(since_1970)?;
    Some(humantime::format_rfc3339_nanos(at).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_that_of_the_wall_clock() {
        let told = utc(1_500_000_000, 1_763_823_843_000_000_007);
        assert_eq!(told.as_deref(), Some("2025-11-22T15:04:04.500000007Z"));
        assert_eq!(
            utc(5, -5).as_deref(),
            Some("1970-01-01T00:00:00.000000000Z")
        );
        assert_eq!(utc(4, -5), None);
        assert!(utc(u64::MAX, 0).is_some());
        assert_eq!(utc(u64::MAX, 1), None);
    }
}
