//! What the recorder's thread does: looks at late wake-ups, and sees to it that events are recorded.

use super::allowance::Allowance;
use super::source::Source;
use crate::faults::{Fault, Faults};
use crate::late::Lates;
use crate::late_event::LateEvent;
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
    /// Works until nobody can tell of late wake-ups any more, or it is to stop.
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

    /// How long it has nothing to do, if nobody tells of another.
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
