//! The reference: why a wake-up was late, by what perf saw and by the program's own log.
//!
//! This is written from the meaning of the kernel's events, and shares no code with what it judges.

use super::parts::Parts;
use super::subject::Entry;
use super::timeline::{State, Step, Thread, Timeline};
use serde::Serialize;

/// What became of a wait of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// A timer ended it.
    Timer(Truth),
    /// No timer that is recorded.
    NoTimer,
    /// Perf has not recorded all of it: on some virtual machines it records no events of the idle task.
    Unseen,
}

/// Why a wait ended so late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Truth {
    /// The earliest time at which the timer may have ended the wait.
    pub deadline: u64,
    pub parts: Parts,
}

pub fn interpret(timeline: &Timeline<'_>, entry: &Entry) -> Verdict {
    let Some(thread) = timeline.threads.get(&entry.thread) else {
        return Verdict::Unseen;
    };
    let place = |bound: u64| thread.steps.partition_point(|(at, _)| *at < bound);
    let steps = &thread.steps[place(entry.asked)..place(entry.woke + 1)];
    let is_armed = |(_, step): &(u64, Step<'_>)| matches!(step, Step::Armed { .. });
    match steps.iter().rposition(is_armed) {
        None => Verdict::NoTimer,
        Some(armed) => {
            truth(timeline, thread, entry, &steps[armed..]).map_or(Verdict::Unseen, Verdict::Timer)
        }
    }
}

/// `steps` begin with the last timer of the wait.
fn truth(
    timeline: &Timeline<'_>,
    thread: &Thread<'_>,
    entry: &Entry,
    steps: &[(u64, Step<'_>)],
) -> Option<Truth> {
    let (
        armed,
        Step::Armed {
            timer,
            expires,
            deadline,
        },
    ) = steps[0]
    else {
        return None;
    };
    let mut expiries = steps
        .iter()
        .enumerate()
        .filter_map(|(index, (at, step))| match step {
            Step::Expired {
                timer: other,
                processor,
            } if *other == timer => Some((index, *at, *processor)),
            _ => None,
        });
    let (expiry, expired, processor) = expiries.next()?;
    // A thread that does not sleep is ready at once: it has not gone to sleep yet, or a signal has woken it.
    let next = steps[expiry..].iter().find(|(_, step)| {
        matches!(
            step,
            Step::Woken(_) | Step::In(_) | Step::Out(_) | Step::CallEnded
        )
    });
    let ready = match next {
        Some((at, Step::Woken(_))) => *at,
        _ => expired,
    };
    let end = end(steps, ready)?;
    if thread.doubts.iter().any(|at| deadline < *at && *at <= end) {
        return None;
    }
    let mut parts = Parts::default();
    // From the deadline, or from when the timer was set, until the thread was ready.
    let start = deadline.max(armed).min(ready);
    let interrupt = timeline
        .interrupt_began(processor, expired)
        .unwrap_or(expired);
    let interrupt = interrupt.clamp(start, ready);
    let due = expires.clamp(start, interrupt);
    parts.add("slack", due - start);
    parts.add("interrupt-late", interrupt - due);
    parts.add("irq-handler", ready - interrupt);
    // The rest: before the timer was set, and after it has made the thread ready.
    let mut pass =
        |from, to, running| add(&mut parts, timeline, thread, entry, (from, to), running);
    pass(deadline, armed.min(end), "own")?;
    pass(ready.max(deadline), end, "after")?;
    Some(Truth { deadline, parts })
}

/// The wait is over when its call returns, and the program goes on: later, if it lost the processor on the way, which
/// the trace does not tell from the program's own work, but its log does.
fn end(steps: &[(u64, Step<'_>)], ready: u64) -> Option<u64> {
    let mut end = None;
    for (at, step) in steps.iter().filter(|(at, _)| *at >= ready) {
        match (step, end) {
            (Step::CallEnded, None) | (Step::In(_), Some(_)) => end = Some(*at),
            (Step::CallBegan(_), Some(_)) => break,
            _ => {}
        }
    }
    end
}

/// What passed in a time; `running`, while the thread ran. None if it is not known.
fn add(
    parts: &mut Parts,
    timeline: &Timeline<'_>,
    thread: &Thread<'_>,
    entry: &Entry,
    (from, to): (u64, u64),
    running: &str,
) -> Option<()> {
    for (from, to, state) in thread.was(from, to) {
        let (processor, queued) = match state {
            State::Unknown => return None,
            State::Away(why) => {
                parts.add(why, to - from);
                continue;
            }
            State::Running(processor) => (processor, from),
            State::Ready(processor, None) => (processor, from),
            // When its group, which had used up its processor time, got more.
            State::Ready(processor, Some(out)) => {
                let before = timeline.refills.iter().rfind(|refill| **refill < to);
                let refill = before.filter(|refill| entry.throttled && **refill > out);
                (
                    processor,
                    refill.map_or(from, |refill| (*refill).clamp(from, to)),
                )
            }
        };
        parts.add("throttled", queued - from);
        for (ns, who) in timeline.had(processor, queued, to)? {
            match (who, state) {
                (None, _) => parts.add("interrupts", ns),
                (_, State::Running(_)) => parts.add(running, ns),
                (Some(0), _) => parts.add("idle", ns),
                (Some(other), _) if other == entry.thread => parts.add(running, ns),
                (Some(other), _) => parts.add(&format!("thread-{other}"), ns),
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests;
