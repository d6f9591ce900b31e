//! Explains why a wake-up was late: splits its lateness by what its thread and its processors did.

mod woken;

use crate::chronicle::{Call, Chronicle, Fired, LONGEST_IDLE_EXIT, Span, State};
use crate::event::{Left, Priority, ProcessorId};
use crate::segment::{
    Cause, Lateness, Occupant, Preemption, Reason, Segment, Verdict, Wait, WakeUp, Waker,
};
use crate::splitter::Splitter;
use punctual::Instant;
use std::time::Duration;

/// How far the time stamps of two processors may disagree before the trace contradicts itself. The
/// kernel reads its clock without a lock while another processor sets it.
const TOLERATED_DISORDER: Duration = Duration::from_micros(1);

/// Explains one wait of a thread for which the chronicle was made.
pub fn explain(chronicle: &Chronicle, wait: &Wait) -> WakeUp {
    let mut explanation = Explanation {
        chronicle,
        wait,
        splitter: Splitter::new(wait.deadline, wait.woke),
        is_ambiguous: false,
        woken_by: Vec::new(),
    };
    let (verdict, mut segments) = match explanation.explain() {
        Err(reason) => (Verdict::Unexplained(reason), Vec::new()),
        Ok(()) if explanation.is_ambiguous => (Verdict::Ambiguous, explanation.splitter.finish()),
        Ok(()) => (Verdict::Exact, explanation.splitter.finish()),
    };
    name_priorities(chronicle, wait, &mut segments);
    let preemption = preemption(chronicle, wait, &segments);
    let (processor, lateness) = end(chronicle, wait);
    WakeUp {
        wait: *wait,
        lateness,
        processor,
        verdict,
        segments,
        woken_by: explanation.woken_by,
        preemption,
        stacks: chronicle.stacks(wait.thread, wait.began, wait.woke),
    }
}

/// Says with which priorities other threads had the processor.
fn name_priorities(chronicle: &Chronicle, wait: &Wait, segments: &mut [Segment]) {
    let mut from = wait.deadline;
    for segment in segments {
        let to = from + Duration::from_nanos(segment.ns);
        if let Occupant::Thread(other) = segment.occupant
            && other != wait.thread
        {
            segment.priority = chronicle.priority(other, from, to);
        }
        from = to;
    }
}

/// When the processor was taken from the thread, if that made it late.
fn preemption(chronicle: &Chronicle, wait: &Wait, segments: &[Segment]) -> Option<Box<Preemption>> {
    let mut causes = segments.iter().map(|segment| segment.cause);
    if !causes.any(|cause| matches!(cause, Cause::SliceExpired | Cause::Preempted)) {
        return None;
    }
    let history = chronicle.history(wait.thread);
    let (at, had_since) = history.preemption(Instant::ZERO, wait.woke)?;
    Some(Box::new(Preemption { at, had_since }))
}

/// Where the thread ran at the end of a wait, and how well that end is known.
fn end(chronicle: &Chronicle, wait: &Wait) -> (Option<ProcessorId>, Lateness) {
    let history = chronicle.history(wait.thread);
    let (State::Running { on, is_recorded }, _) = history.at(wait.woke) else {
        return (None, Lateness::Known);
    };
    // The end of its system call is exact, even if it is the first that was seen of it.
    let calls = chronicle.calls(wait.thread);
    let is_back = matches!(calls.at(wait.woke), Call::DoneAt(_, Some(back)) if back == wait.woke);
    let is_first_seen = !is_recorded && history.since(wait.woke) == Some(wait.woke);
    let lateness = match is_first_seen && !is_back {
        true => Lateness::AtMost,
        false => Lateness::Known,
    };
    (Some(on), lateness)
}

/// How a thread stands in a processor's queue: [`State::Ready`].
#[derive(Clone, Copy)]
struct Queue {
    on: ProcessorId,
    has_moved: bool,
    was_preempted: bool,
}

fn because(cause: Cause) -> impl Fn(Span) -> (Cause, Occupant) {
    move |span| (cause, span.occupant)
}

/// Whether the thread that has the processor got it as its turn, and not because of its class.
fn has_turns(span: Span) -> bool {
    span.priority.is_none_or(Priority::is_ordinary)
}

struct Explanation<'a> {
    chronicle: &'a Chronicle,
    wait: &'a Wait,
    splitter: Splitter,
    is_ambiguous: bool,
    woken_by: Vec<Waker>,
}

impl Explanation<'_> {
    fn explain(&mut self) -> Result<(), Reason> {
        let wait = *self.wait;
        let start = wait.began.min(wait.deadline);
        // Gaps first: a trace that lost its beginning has no known start.
        if self.chronicle.losses().touch(start, wait.woke) {
            return Err(Reason::EventsLost);
        }
        if !self.chronicle.holds(start) || !self.chronicle.holds(wait.began) {
            return Err(Reason::OutsideTrace);
        }
        if !self.chronicle.remembers(wait.deadline) {
            return Err(Reason::TooLong);
        }
        match (self.timer(), self.waking()) {
            (Some(fired), _) => self.timed(&fired)?,
            (None, Some(woken)) => self.woken(woken)?,
            _ if !self.chronicle.remembers(wait.began) => return Err(Reason::TooLong),
            _ if self.history().waits(wait.began, wait.woke) => return Err(Reason::NoTimer),
            _ => self.follow(wait.began, Cause::ArmedLate)?,
        }
        self.follow(wait.woke, Cause::AfterSwitch)
    }

    /// The timer that ended the wait: the last that woke the thread in it.
    fn timer(&self) -> Option<Fired> {
        let fired = self.chronicle.fired(self.wait.thread);
        let last = fired.partition_point(|fired| fired.expired_at <= self.wait.woke);
        let fired = fired[..last].last()?;
        (fired.expired_at >= self.wait.began).then_some(*fired)
    }

    /// From the deadline until the timer had made the thread ready.
    fn timed(&mut self, fired: &Fired) -> Result<(), Reason> {
        let armed = fired.armed.ok_or(Reason::NoTimer)?;
        let ready = self.history().readied(fired.waking_at);
        let ready = ready.filter(|&ready| ready <= self.wait.woke);
        let ready = ready.ok_or(Reason::NoReady)?;
        if fired.expired_at + TOLERATED_DISORDER < armed.earliest {
            return Err(Reason::OutOfOrder);
        }
        let itself = Occupant::Thread(self.wait.thread);
        self.follow(armed.at, Cause::ArmedLate)?;
        self.splitter
            .until(armed.earliest, Cause::AskedLate, itself);
        let interrupt_at = fired.interrupt_at;
        let slack_end = armed.latest.min(interrupt_at);
        self.splitter.until(slack_end, Cause::Slack, itself);
        self.occupied(fired.processor, interrupt_at, because(Cause::InterruptLate))?;
        self.occupied(fired.processor, ready, because(Cause::IrqHandler))
    }

    /// Cuts along what the thread does, until an instant. While it runs, its time passes for the
    /// reason given.
    fn follow(&mut self, to: Instant, while_running: Cause) -> Result<(), Reason> {
        let to = self.splitter.within(to);
        while self.splitter.cursor() < to {
            let (state, next) = self.history().at(self.splitter.cursor());
            let end = next.map_or(to, |(at, _)| at.min(to));
            match state {
                State::Unknown => return Err(Reason::NoSwitch),
                State::Running { on, .. } => {
                    self.occupied(on, end, |span| match span.occupant {
                        Occupant::Interrupt(_) => (Cause::Interrupt, span.occupant),
                        Occupant::Softirq(_) => (Cause::Softirq, span.occupant),
                        _ => (while_running, Occupant::Thread(self.wait.thread)),
                    })?;
                }
                State::Ready {
                    on,
                    has_moved,
                    was_preempted,
                } => {
                    let queue = Queue {
                        on,
                        has_moved,
                        was_preempted,
                    };
                    self.queued(queue, end, next.map(|(_, state)| state))?;
                }
                State::Waiting { how } => {
                    let (cause, occupant) = self.waiting(how);
                    self.splitter.until(end, cause, occupant);
                }
            }
        }
        Ok(())
    }

    /// Why it is not ready now, and what brought it about.
    fn waiting(&self, how: Left) -> (Cause, Occupant) {
        let itself = Occupant::Thread(self.wait.thread);
        match how {
            Left::Blocked => (Cause::Blocked, itself),
            Left::Stopped => (Cause::Stopped, itself),
            _ => {
                let calls = self.chronicle.calls(self.wait.thread);
                match calls.lock(self.splitter.cursor()) {
                    Some(lock) => (Cause::Lock, lock.freed_by.map_or(itself, Occupant::Thread)),
                    None => (Cause::Sleeping, itself),
                }
            }
        }
    }

    /// Ready in a processor's queue, until an instant at which the thread's state changes to `next`
    /// or the lateness ends.
    fn queued(&mut self, queue: Queue, end: Instant, next: Option<State>) -> Result<(), Reason> {
        let on = queue.on;
        let is_seen = match next {
            Some(State::Running {
                on: next,
                is_recorded,
            }) if next == on => is_recorded,
            Some(State::Ready { .. }) => true,
            // Nothing more was recorded of it.
            None => false,
            // Elsewhere, or gone: it ran at some time that was not recorded.
            Some(_) => return Err(Reason::NoSwitch),
        };
        let itself = self.wait.thread;
        if let Some(until) = self.chronicle.held_until(itself, self.splitter.cursor()) {
            self.splitter
                .until(until.min(end), Cause::Throttled, Occupant::Thread(itself));
        }
        let since = self.history().since(self.splitter.cursor());
        let passes_over = |span: Span| span.chosen_at > since && has_turns(span);
        let occupancy = self.chronicle.occupancy(on);
        let spans: Vec<_> = occupancy.between(self.splitter.cursor(), end).collect();
        for (index, &(span, span_end)) in spans.iter().enumerate() {
            // The switch at the span's end, to the thread itself or to another before it.
            let is_end_seen = match spans.get(index + 1) {
                Some((next, _)) => next.is_recorded,
                None => is_seen,
            };
            let cause = match span.occupant {
                Occupant::Unknown => return Err(Reason::NoSwitch),
                // Seen running later on, and not gone since: the thread itself.
                Occupant::Thread(thread) if thread == self.wait.thread => Cause::Ambiguous,
                _ if !is_end_seen => Cause::Ambiguous,
                Occupant::Idle if span_end.duration_since(span.from) > LONGEST_IDLE_EXIT => {
                    return Err(Reason::IdleWhileReady);
                }
                Occupant::Idle if queue.has_moved => Cause::Migration,
                Occupant::Idle => Cause::IdleExit,
                Occupant::Interrupt(_) => Cause::Interrupt,
                Occupant::Softirq(_) => Cause::Softirq,
                Occupant::Thread(_) if span.asked_to_switch => Cause::WakeUpPreemptionDelay,
                Occupant::Thread(_) if queue.was_preempted && has_turns(span) => {
                    Cause::SliceExpired
                }
                Occupant::Thread(_) if queue.was_preempted => Cause::Preempted,
                Occupant::Thread(_) if passes_over(span) => Cause::PickedAnother,
                Occupant::Thread(_) => Cause::RunQueueWait,
            };
            self.is_ambiguous |= cause == Cause::Ambiguous;
            self.splitter.until(span_end, cause, span.occupant);
        }
        Ok(())
    }

    /// Cuts along what has a processor, until an instant. Before its first event that is not known.
    fn occupied(
        &mut self,
        on: ProcessorId,
        to: Instant,
        cause: impl Fn(Span) -> (Cause, Occupant),
    ) -> Result<(), Reason> {
        let (from, to) = (self.splitter.cursor(), self.splitter.within(to));
        for (span, end) in self.chronicle.occupancy(on).between(from, to) {
            let (cause, occupant) = cause(span);
            if occupant == Occupant::Unknown {
                return Err(Reason::NoSwitch);
            }
            self.splitter.until(end, cause, occupant);
        }
        Ok(())
    }

    fn history(&self) -> &crate::chronicle::History {
        self.chronicle.history(self.wait.thread)
    }
}
