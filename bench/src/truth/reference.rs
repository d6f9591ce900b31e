//! The reference: why a wake-up was late, by what perf saw and by the program's own log.
//!
//! This is written from the meaning of the kernel's events, and shares no code with what it judges.

use super::log::Entry;
use super::parts::{Part, Parts};
use super::timeline::{Step, Timeline};

/// What became of a wait of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A timer ended it.
    Timer(Truth),
    /// No timer that is recorded.
    NoTimer,
    /// Perf has not recorded all of it: on some virtual machines it records no events of the idle task.
    Unseen,
}

/// Why a wait ended so late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    /// The earliest time at which the timer may have ended the wait.
    pub deadline: u64,
    pub parts: Parts,
}

/// The processor time that a group gets, and how often.
pub const QUOTA: u64 = 10_000_000;
pub const QUOTA_PERIOD: u64 = 50_000_000;

/// The number of the call `futex`.
const FUTEX: i64 = libc::SYS_futex;

/// The last timer of a wait.
struct Timer {
    deadline: u64,
    expires: u64,
    armed: u64,
    /// When the interrupt began in which it expired.
    interrupt: u64,
    /// When it made the thread ready.
    ready: u64,
}

pub fn interpret(timeline: &Timeline, entry: &Entry) -> Verdict {
    let Some(steps) = timeline.steps.get(&entry.thread) else {
        return Verdict::Unseen;
    };
    let is_armed = |(at, step): &(u64, Step)| {
        entry.asked <= *at && *at <= entry.woke && matches!(step, Step::Armed { .. })
    };
    let Some(armed) = steps.iter().rposition(is_armed) else {
        return Verdict::NoTimer;
    };
    let truth = truth(timeline, entry, steps, armed);
    truth.map_or(Verdict::Unseen, Verdict::Timer)
}

/// A line for each wait that was seen: thread, name, deadline, when the program read its clock, and the
/// parts of its lateness.
pub fn text(log: &[(Entry, Verdict)]) -> String {
    let line = |(entry, verdict): &(Entry, Verdict)| {
        let Verdict::Timer(truth) = verdict else {
            return String::new();
        };
        let (thread, name, woke) = (entry.thread, &entry.name, entry.woke);
        format!(
            "{thread} {name} {} {woke}: {}\n",
            truth.deadline, truth.parts
        )
    };
    log.iter().map(line).collect()
}

fn truth(timeline: &Timeline, entry: &Entry, steps: &[(u64, Step)], armed: usize) -> Option<Truth> {
    let timer = timer(timeline, steps, armed, entry)?;
    let end = end(steps, &timer, entry)?;
    let mut parts = Parts::default();
    add_timer(&mut parts, &timer);
    let mut spans = Spans {
        timeline,
        entry,
        timer: &timer,
        end,
        parts,
        is_seen: true,
    };
    spans.walk(steps);
    spans.is_seen.then_some(Truth {
        deadline: timer.deadline,
        parts: spans.parts,
    })
}

fn timer(timeline: &Timeline, steps: &[(u64, Step)], last: usize, entry: &Entry) -> Option<Timer> {
    let (
        armed,
        Step::Armed {
            timer,
            expires,
            soft_expires,
        },
    ) = &steps[last]
    else {
        return None;
    };
    let during = |at: u64| at <= entry.woke;
    let is_its_end =
        |step: &Step| matches!(step, Step::Expired { timer: other, .. } if other == timer);
    let expiry = last
        + steps[last..]
            .iter()
            .position(|(at, step)| during(*at) && is_its_end(step))?;
    let (expired, Step::Expired { processor, .. }) = &steps[expiry] else {
        return None;
    };
    // A thread that does not sleep is ready at once: it has not gone to sleep yet, or a signal has
    // woken it.
    let mut after = steps[expiry..].iter();
    let next = after.find(|(_, step)| {
        matches!(
            step,
            Step::Woken { .. } | Step::In { .. } | Step::Out { .. } | Step::CallEnded
        )
    });
    let ready = match next {
        Some((at, Step::Woken { .. })) => *at,
        _ => *expired,
    };
    Some(Timer {
        deadline: *soft_expires,
        expires: *expires,
        armed: *armed,
        interrupt: timeline
            .interrupt_began(*processor, *expired)
            .unwrap_or(*expired),
        ready,
    })
}

/// The wait is over when its call returns, and the program goes on: later, if it lost the processor
/// on the way, which the trace does not tell from the program's own work, but its log does.
fn end(steps: &[(u64, Step)], timer: &Timer, entry: &Entry) -> Option<u64> {
    let since = steps.partition_point(|(at, _)| *at < timer.ready);
    let returned = since
        + steps[since..]
            .iter()
            .position(|(_, step)| *step == Step::CallEnded)?;
    let mut end = steps[returned].0;
    for (at, step) in &steps[returned..] {
        match step {
            Step::CallBegan { .. } => break,
            _ if *at > entry.woke => break,
            Step::In { .. } => end = *at,
            _ => {}
        }
    }
    (end <= entry.woke).then_some(end)
}

/// From the deadline, or from when the timer was set, until the thread was ready.
fn add_timer(parts: &mut Parts, timer: &Timer) {
    let start = timer.deadline.max(timer.armed).min(timer.ready);
    let interrupt = timer.interrupt.clamp(start, timer.ready);
    let due = timer.expires.clamp(start, interrupt);
    parts.add(Part::Slack, due - start);
    parts.add(Part::InterruptLate, interrupt - due);
    parts.add(Part::IrqHandler, timer.ready - interrupt);
}

/// Where a thread is.
#[derive(Clone, Copy)]
enum State {
    Unknown,
    Running(u16),
    /// Ready on a processor; since when, if it was running before.
    Ready(u16, Option<u64>),
    Away(Why),
}

/// Why it waits.
#[derive(Clone, Copy)]
enum Why {
    Blocked,
    Stopped,
    Lock,
    Sleeping,
}

/// The rest: before the timer was set, and after it has made the thread ready.
struct Spans<'a> {
    timeline: &'a Timeline,
    entry: &'a Entry,
    timer: &'a Timer,
    end: u64,
    parts: Parts,
    is_seen: bool,
}

impl Spans<'_> {
    fn walk(&mut self, steps: &[(u64, Step)]) {
        let (mut state, mut since, mut processor, mut call) = (State::Unknown, 0, 0, None);
        for (at, step) in steps {
            let next = match step {
                Step::In { processor: on } => {
                    processor = *on;
                    Some(State::Running(processor))
                }
                Step::Out { state } => Some(match state.chars().next() {
                    Some('R') => State::Ready(processor, Some(*at)),
                    Some('D') => State::Away(Why::Blocked),
                    Some('T' | 't') => State::Away(Why::Stopped),
                    _ if call.map(i64::from) == Some(FUTEX) => State::Away(Why::Lock),
                    _ => State::Away(Why::Sleeping),
                }),
                Step::Woken { processor: on } => match state {
                    State::Away(_) | State::Unknown => Some(State::Ready(*on, None)),
                    State::Ready(_, since) => Some(State::Ready(*on, since)),
                    State::Running(_) => None,
                },
                Step::Moved { processor: on } => match state {
                    State::Ready(_, since) => Some(State::Ready(*on, since)),
                    _ => None,
                },
                Step::CallBegan { number } => {
                    call = Some(*number);
                    None
                }
                Step::CallEnded => {
                    call = None;
                    let is_late = *at > self.timer.deadline;
                    // It runs now, and the switch was not recorded.
                    self.is_seen &= !is_late || matches!(state, State::Running(_));
                    None
                }
                Step::Armed { .. } | Step::Expired { .. } | Step::Waking { .. } => None,
            };
            if let Some(next) = next {
                self.span(state, since, *at);
                (state, since) = (next, *at);
            }
            if *at >= self.end {
                break;
            }
        }
        self.span(state, since, self.end);
    }

    /// The thread was in one state; what of it is not the timer's is counted.
    fn span(&mut self, state: State, from: u64, to: u64) {
        let armed = self.timer.armed.min(self.end);
        self.piece(
            state,
            from.max(self.timer.deadline),
            to.min(armed),
            Part::Own,
        );
        let ready = self.timer.ready.max(self.timer.deadline);
        self.piece(state, from.max(ready), to.min(self.end), Part::After);
    }

    fn piece(&mut self, state: State, from: u64, to: u64, running: Part) {
        let Some(ns) = to.checked_sub(from).filter(|ns| *ns > 0) else {
            return;
        };
        match state {
            State::Unknown => self.is_seen = false,
            State::Away(Why::Blocked) => self.parts.add(Part::Blocked, ns),
            State::Away(Why::Stopped) => self.parts.add(Part::Stopped, ns),
            State::Away(Why::Lock) => self.parts.add(Part::Lock, ns),
            State::Away(Why::Sleeping) => self.parts.add(Part::Sleeping, ns),
            State::Running(processor) => {
                for (ns, who) in self.timeline.had(processor, from, to) {
                    let part = who.map_or(Part::Interrupts, |_| running.clone());
                    self.parts.add(part, ns);
                }
            }
            State::Ready(processor, out) => {
                let refilled = out.and_then(|out| self.refilled(out, to));
                let queued = refilled.map_or(from, |refill| refill.clamp(from, to));
                self.parts.add(Part::Throttled, queued - from);
                self.is_seen &= !self.timeline.is_doubtful(processor, queued, to);
                for (ns, who) in self.timeline.had(processor, queued, to) {
                    let part = match who {
                        None => Part::Interrupts,
                        Some(0) => Part::Idle,
                        Some(thread) if thread == self.entry.thread => running.clone(),
                        Some(thread) => Part::Thread(thread),
                    };
                    self.parts.add(part, ns);
                }
            }
        }
    }

    /// When the thread's group, which had used up its processor time, got more.
    fn refilled(&self, out: u64, back: u64) -> Option<u64> {
        let refills = &self.timeline.refills;
        let before = refills
            .partition_point(|refill| *refill < back)
            .checked_sub(1)?;
        let is_between = self.entry.throttled && refills[before] > out;
        is_between.then_some(refills[before])
    }
}

#[cfg(test)]
mod tests;
