//! What the recorder's thread does: looks at late wake-ups, and sees to it that events are recorded.

use super::source::Source;
use crate::faults::{Fault, Faults};
use crate::late::Lates;
use crate::recorder::LateEvent;
use punctual::{Error, Instant};
use punctual_trace::recorder::Recorder;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// How often it looks whether its threads are still the same, and what the kernel has counted.
const TENDING: Duration = Duration::from_secs(2);

/// How often it tries again where the kernel's trace cannot be read: somebody may mount it, or allow it.
const TRYING_AGAIN: Duration = Duration::from_secs(60);

/// How long after a wake-up its events are taken. They can all be read 50 milliseconds after they happened
/// (`Portion::complete_until`), and what the thread does next is then known, too.
const SETTLING: Duration = Duration::from_millis(60);

/// What it works with.
#[derive(Debug)]
pub(super) struct Worker<S> {
    pub(super) source: S,
    pub(super) recorder: Recorder,
    /// The machine, in words.
    pub(super) environment: serde_json::Value,
    pub(super) lates: Arc<Lates>,
    pub(super) faults: Arc<Faults>,
    pub(super) allowance: Allowance,
    /// Why there is no trace.
    pub(super) without: Option<String>,
    /// When it looked after its source last.
    pub(super) tended: Option<Instant>,
}

impl<S: Source> Worker<S> {
    /// Works until nothing can tell of late wake-ups any more, or it is to stop.
    pub(super) fn run(&mut self, late_events: &Receiver<LateEvent>, is_stopping: &AtomicBool) {
        for remark in self.lates.saved.take_remarks() {
            self.faults.happened(Fault::Recording, remark);
        }
        let mut waiting = VecDeque::new();
        while !is_stopping.load(Relaxed) {
            self.tend();
            match late_events.recv_timeout(self.may_wait_for(&waiting)) {
                Ok(late_event) => {
                    let all = std::iter::once(late_event).chain(late_events.try_iter());
                    waiting.extend(all.filter_map(|late_event| self.may_look_at(late_event)));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.look_at_one(&mut waiting);
        }
        // To end at once matters more.
        waiting.iter().for_each(|_| self.lates.count_not_kept());
    }

    /// How long it has nothing to do, if nothing tells of another.
    fn may_wait_for(&self, waiting: &VecDeque<LateEvent>) -> Duration {
        match waiting.front() {
            None => TENDING,
            Some(first) if self.is_ready(first) => Duration::ZERO,
            Some(first) => (first.woke + SETTLING).duration_since(self.source.now()),
        }
    }

    /// Whether a late wake-up is looked at, or only counted.
    fn may_look_at(&mut self, late_event: LateEvent) -> Option<LateEvent> {
        let lateness_ns = late_event.wait().lateness_ns();
        if !self.lates.saved.rules().is_late(lateness_ns) {
            return None;
        }
        let may = self.allowance.take(self.source.now());
        if !may {
            self.lates.count_not_kept();
        }
        Some(late_event).filter(|_| may)
    }

    pub(super) fn tend(&mut self) {
        let now = self.source.now();
        self.recorder.kept.forget(now);
        let often = match self.without {
            Some(_) => TRYING_AGAIN,
            None => TENDING,
        };
        if self.tended.is_some_and(|tended| now < tended + often) {
            return;
        }
        self.tended = Some(now);
        let tended = self.source.tend();
        self.is_there(tended);
        let (events, lost) = self.source.counted();
        self.lates.count_events(events, lost);
    }

    /// Says when the trace goes, and when it is back.
    fn is_there(&mut self, result: Result<(), Error>) {
        match result {
            Ok(()) if self.without.take().is_some() => {
                let what = "the kernel's trace is read again";
                self.faults.ended(Fault::Trace, what);
            }
            Ok(()) => {}
            Err(error) => {
                let what = format!("late wake-ups are listed without their causes: {error}");
                self.faults.happened(Fault::Trace, what);
                self.without = Some(error.to_string());
                self.recorder.kept.clear();
            }
        }
    }

    /// Explains and saves the first that is ready. Before that, it takes the events of all whose time has come, because
    /// to explain one takes long, and the kernel's ring goes round.
    pub(super) fn look_at_one(&mut self, waiting: &mut VecDeque<LateEvent>) {
        let now = self.source.now();
        let is_due = |it: &LateEvent| it.woke + SETTLING <= now && !self.is_ready(it);
        if waiting.iter().any(is_due) {
            match self.source.take() {
                Ok(portion) => self.recorder.kept.push(portion, &[], self.source.now()),
                Err(error) => self.is_there(Err(error)),
            }
        }
        let is_ready = waiting.front().is_some_and(|first| self.is_ready(first));
        if is_ready && let Some(first) = waiting.pop_front() {
            self.save(&first);
        }
    }

    /// Whether all that can be known of a late wake-up is there.
    fn is_ready(&self, late_event: &LateEvent) -> bool {
        self.without.is_some() || late_event.woke < self.recorder.kept.complete_until()
    }

    fn save(&self, late_event: &LateEvent) {
        let trace = match (&self.without, self.source.raw()) {
            (None, Some(raw)) => Ok(raw),
            (without, _) => Err(without.as_deref().unwrap_or("it ended")),
        };
        let head = late_event.head(&self.environment);
        let (listed, wait) = (late_event.listed(&head), late_event.wait());
        match self.recorder.save_told(listed, wait, &head, trace) {
            Ok(()) => self
                .faults
                .ended(Fault::Recording, "late wake-ups are saved again"),
            Err(error) => self.faults.happened(Fault::Recording, error),
        }
    }
}

/// How many may be looked at in quick succession: a late moment often has several, on several processors.
const AT_ONCE: u32 = 5;

/// How often one more may be. Taking and explaining the events of one costs some tens of milliseconds of a processor:
/// in the long run that is less than half a percent of one.
const EVERY: Duration = Duration::from_secs(10);

/// What is left of it.
#[derive(Debug)]
pub(super) struct Allowance {
    left: u32,
    /// Since when the next one is being waited for, while there are fewer than at first.
    since: Instant,
}

impl Allowance {
    pub(super) fn new() -> Self {
        Self {
            left: AT_ONCE,
            since: Instant::ZERO,
        }
    }

    /// Whether one more may be looked at now.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let passed = now.duration_since(self.since);
        let more = u32::try_from(passed.as_nanos() / EVERY.as_nanos()).unwrap_or(u32::MAX);
        if self.left.saturating_add(more) >= AT_ONCE {
            (self.left, self.since) = (AT_ONCE, now);
        } else {
            self.left += more;
            self.since += EVERY * more;
        }
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Instant {
        Instant::from_nanos(seconds * 1_000_000_000)
    }

    #[test]
    fn a_few_at_once_and_then_one_every_ten_seconds() {
        let mut allowance = Allowance::new();
        let mut taken = |at| allowance.take(seconds(at));
        assert!((0..5).all(|_| taken(100)));
        assert!(!taken(100) && !taken(109));
        assert!(taken(110) && !taken(110) && !taken(119));
        // What passed while there were none left is not lost.
        assert!(taken(125) && !taken(129) && taken(130));
    }

    #[test]
    fn a_quiet_time_gives_no_more_than_at_first() {
        let mut allowance = Allowance::new();
        assert!(allowance.take(seconds(1)));
        let at_once = (0..100).filter(|_| allowance.take(seconds(1_000_000)));
        assert_eq!(at_once.count(), 5);
        let many = (0..3_600_u64).filter(|second| allowance.take(seconds(2_000_000 + second)));
        assert_eq!(many.count(), 5 + 359);
    }
}
