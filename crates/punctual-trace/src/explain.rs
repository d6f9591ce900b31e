//! Explains why a wake-up was late: splits its lateness by what its thread and its processors did.

mod woken;

use crate::chronicle::{Call, Chronicle, Fired, LONGEST_IDLE_EXIT, Span, State};
use crate::cut::Cut;
use crate::event::{Left, Priority, ProcessorId};
use crate::segment::{Cause, Lateness, Reason, Segment, Taken, Verdict, Wait, WakeUp, Waker, Who};
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
        cut: Cut::new(wait.deadline, wait.woke),
        is_merged: false,
        woken_by: Vec::new(),
    };
    let (verdict, mut segments) = match explanation.explain() {
        Err(reason) => (Verdict::Unexplained(reason), Vec::new()),
        Ok(()) if explanation.is_merged => (Verdict::Merged, explanation.cut.finish()),
        Ok(()) => (Verdict::Exact, explanation.cut.finish()),
    };
    name_priorities(chronicle, wait, &mut segments);
    let taken = taken(chronicle, wait, &segments);
    let (processor, lateness) = end(chronicle, wait);
    WakeUp {
        wait: *wait,
        lateness,
        processor,
        verdict,
        segments,
        woken_by: explanation.woken_by,
        taken,
        stacks: chronicle.stacks(wait.thread, wait.began, wait.woke),
    }
}

/// Says with which priorities other threads had the processor.
fn name_priorities(chronicle: &Chronicle, wait: &Wait, segments: &mut [Segment]) {
    let mut from = wait.deadline;
    for segment in segments {
        let to = from + Duration::from_nanos(segment.ns);
        if let Who::Thread(other) = segment.who
            && other != wait.thread
        {
            segment.priority = chronicle.priority(other, from, to);
        }
        from = to;
    }
}

/// When the thread's turn was over, if that made it late.
fn taken(chronicle: &Chronicle, wait: &Wait, segments: &[Segment]) -> Option<Box<Taken>> {
    let mut causes = segments.iter().map(|segment| segment.cause);
    if !causes.any(|cause| cause == Cause::TurnOver) {
        return None;
    }
    let history = chronicle.history(wait.thread);
    let (at, had_since) = history.taken(Instant::ZERO, wait.woke)?;
    Some(Box::new(Taken { at, had_since }))
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
    was_taken: bool,
}

/// Whether the thread that has the processor got it as its turn, and not because of its class.
fn has_turns(span: Span) -> bool {
    span.priority.is_none_or(Priority::is_ordinary)
}

struct Explanation<'a> {
    chronicle: &'a Chronicle,
    wait: &'a Wait,
    cut: Cut,
    is_merged: bool,
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
        let itself = Who::Thread(self.wait.thread);
        self.follow(armed.at, Cause::ArmedLate)?;
        self.cut.until(armed.earliest, Cause::AskedLate, itself);
        let slack_end = armed.latest.min(fired.interrupt_at);
        self.cut.until(slack_end, Cause::Slack, itself);
        self.occupied(fired.processor, fired.interrupt_at, |span| {
            (Cause::InterruptLate, span.who)
        })?;
        self.occupied(fired.processor, ready, |span| (Cause::Handler, span.who))
    }

    /// Cuts along what the thread does, until an instant. While it runs, its time passes for the
    /// reason given.
    fn follow(&mut self, to: Instant, while_running: Cause) -> Result<(), Reason> {
        let to = self.cut.within(to);
        while self.cut.cursor() < to {
            let (state, next) = self.history().at(self.cut.cursor());
            let end = next.map_or(to, |(at, _)| at.min(to));
            match state {
                State::Unknown => return Err(Reason::NoSwitch),
                State::Running { on, .. } => self.occupied(on, end, |span| match span.who {
                    Who::Interrupt(_) => (Cause::Interrupt, span.who),
                    Who::Deferred(_) => (Cause::Deferred, span.who),
                    _ => (while_running, Who::Thread(self.wait.thread)),
                })?,
                State::Ready {
                    on,
                    has_moved,
                    was_taken,
                } => {
                    let queue = Queue {
                        on,
                        has_moved,
                        was_taken,
                    };
                    self.queued(queue, end, next.map(|(_, state)| state))?;
                }
                State::Waiting { how } => {
                    let (cause, who) = self.waiting(how);
                    self.cut.until(end, cause, who);
                }
            }
        }
        Ok(())
    }

    /// Why it is not ready now, and who brought it about.
    fn waiting(&self, how: Left) -> (Cause, Who) {
        let itself = Who::Thread(self.wait.thread);
        match how {
            Left::Blocked => (Cause::Blocked, itself),
            Left::Stopped => (Cause::Stopped, itself),
            _ => {
                let calls = self.chronicle.calls(self.wait.thread);
                match calls.lock(self.cut.cursor()) {
                    Some(lock) => (Cause::Lock, lock.freed_by.map_or(itself, Who::Thread)),
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
            // Elsewhere, or gone: it ran at some time that nobody saw.
            Some(_) => return Err(Reason::NoSwitch),
        };
        let itself = self.wait.thread;
        if let Some(until) = self.chronicle.held_until(itself, self.cut.cursor()) {
            self.cut
                .until(until.min(end), Cause::Quota, Who::Thread(itself));
        }
        let since = self.history().since(self.cut.cursor());
        let passes_over = |span: Span| span.chosen_at > since && has_turns(span);
        let occupancy = self.chronicle.occupancy(on);
        let spans: Vec<_> = occupancy.between(self.cut.cursor(), end).collect();
        for (index, &(span, span_end)) in spans.iter().enumerate() {
            // The switch at the span's end, to the thread itself or to another before it.
            let is_end_seen = match spans.get(index + 1) {
                Some((next, _)) => next.is_recorded,
                None => is_seen,
            };
            let (cause, who) = match span.who {
                Who::Unknown => return Err(Reason::NoSwitch),
                // Seen running later on, and not gone since: the thread itself.
                Who::Thread(thread) if thread == self.wait.thread => (Cause::Merged, span.who),
                _ if !is_end_seen => (Cause::Merged, span.who),
                Who::Idle if span_end.duration_since(span.from) > LONGEST_IDLE_EXIT => {
                    return Err(Reason::IdleWhileReady);
                }
                Who::Idle if queue.has_moved => (Cause::Migration, Who::Idle),
                Who::Idle => (Cause::IdleExit, Who::Idle),
                Who::Interrupt(_) => (Cause::Interrupt, span.who),
                Who::Deferred(_) => (Cause::Deferred, span.who),
                Who::Thread(_) if span.asked_to_switch => (Cause::GivingWay, span.who),
                Who::Thread(_) if queue.was_taken && has_turns(span) => (Cause::TurnOver, span.who),
                Who::Thread(_) if passes_over(span) => (Cause::PickedAnother, span.who),
                Who::Thread(_) => (Cause::Thread, span.who),
            };
            self.is_merged |= cause == Cause::Merged;
            self.cut.until(span_end, cause, who);
        }
        Ok(())
    }

    /// Cuts along who has a processor, until an instant. Before its first event nobody knows.
    fn occupied(
        &mut self,
        on: ProcessorId,
        to: Instant,
        cause: impl Fn(Span) -> (Cause, Who),
    ) -> Result<(), Reason> {
        let (from, to) = (self.cut.cursor(), self.cut.within(to));
        for (span, end) in self.chronicle.occupancy(on).between(from, to) {
            let (cause, who) = cause(span);
            if who == Who::Unknown {
                return Err(Reason::NoSwitch);
            }
            self.cut.until(end, cause, who);
        }
        Ok(())
    }

    fn history(&self) -> &crate::chronicle::History {
        self.chronicle.history(self.wait.thread)
    }
}
