//! What a thread did when.

use super::forgetting::forget;
use crate::event::{Event, Kind, Left, Priority, ProcessorId, ThreadId};
use punctual::Instant;
use std::collections::BTreeMap;

/// What a thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing is known.
    Unknown,
    /// It has a processor.
    Running {
        /// Which.
        on: ProcessorId,
        /// Whether the switch to it was recorded, or is only known to have happened before.
        is_recorded: bool,
    },
    /// It wants one.
    Ready {
        /// In whose queue it stands.
        on: ProcessorId,
        /// Whether it was moved there after it had become ready.
        has_moved: bool,
        /// Whether it had had a processor until then, as an ordinary thread, and that processor had
        /// been asked to choose another.
        was_preempted: bool,
    },
    /// It is not ready.
    Waiting {
        /// What it does instead. Never [`Left::Ready`].
        how: Left,
    },
}

/// It sleeps until something wakes it.
const WAITING: State = State::Waiting { how: Left::Waiting };

/// What a thread did, in the order of time. A state lasts until the next.
#[derive(Debug, Default, Clone)]
pub struct History {
    states: Vec<(Instant, State)>,
    readied: Vec<Instant>,
    /// Since when it has been ready without a break, if it is.
    ready_since: Option<Instant>,
    /// Whether it has a processor, and nothing has happened there since it got it or since a system
    /// call was done: it is still in the kernel, on its way back to its program.
    is_on_its_way: bool,
    /// Whether it is ready because it gave its processor up on its way back to its program, and
    /// nothing had asked it to.
    gave_up: bool,
}

/// How a thread came to be ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Queued {
    pub(super) since: Instant,
    /// In whose queue it stands now.
    pub(super) on: ProcessorId,
    /// Whether it gave its processor up without being asked to, on its way back to its program.
    pub(super) gave_up: bool,
}

impl History {
    /// That of a thread without events.
    pub(super) const EMPTY: Self = Self {
        states: Vec::new(),
        readied: Vec::new(),
        ready_since: None,
        is_on_its_way: false,
        gave_up: false,
    };

    /// What it did at an instant, and what it did next, and when.
    pub fn at(&self, at: Instant) -> (State, Option<(Instant, State)>) {
        let next = self.states.partition_point(|&(from, _)| from <= at);
        let state = match next.checked_sub(1) {
            Some(index) => self.states[index].1,
            None => State::Unknown,
        };
        (state, self.states.get(next).copied())
    }

    /// Since when it had done what it did at an instant.
    pub fn since(&self, at: Instant) -> Option<Instant> {
        let next = self.states.partition_point(|&(from, _)| from <= at);
        Some(self.states[next.checked_sub(1)?].0)
    }

    /// The first instant from `from` on at which it had been made ready.
    pub fn readied(&self, from: Instant) -> Option<Instant> {
        let index = self.readied.partition_point(|&at| at < from);
        self.readied.get(index).copied()
    }

    /// The first instant from `from` on at which it is known to run.
    pub fn runs(&self, from: Instant) -> Option<Instant> {
        if let (State::Running { .. }, _) = self.at(from) {
            return Some(from);
        }
        let next = self.states.partition_point(|&(at, _)| at <= from);
        let later = self.states[next..].iter();
        let mut running = later.filter(|(_, state)| matches!(state, State::Running { .. }));
        running.next().map(|&(at, _)| at)
    }

    /// Whether it waited at any time between the two, other than for the kernel or because it was
    /// stopped.
    pub fn waits(&self, from: Instant, to: Instant) -> bool {
        let next = self.states.partition_point(|&(at, _)| at <= from);
        let within = self.states[next.saturating_sub(1)..].iter();
        let mut within = within.take_while(|&&(at, _)| at < to);
        within.any(|&(_, state)| state == WAITING)
    }

    /// How it came to be ready, if it is now.
    pub(super) fn queued(&self) -> Option<Queued> {
        let State::Ready { on, .. } = self.state() else {
            return None;
        };
        Some(Queued {
            since: self.ready_since?,
            on,
            gave_up: self.gave_up,
        })
    }

    /// The last time between two instants at which its processor was taken from it though it was
    /// ready, and since when it had had that; `None` if that was not recorded.
    pub fn preemption(&self, from: Instant, to: Instant) -> Option<(Instant, Option<Instant>)> {
        let end = self.states.partition_point(|&(at, _)| at <= to);
        let is_preemption = |(_, state): &(Instant, State)| {
            let State::Ready {
                was_preempted,
                has_moved,
                ..
            } = *state
            else {
                return false;
            };
            was_preempted && !has_moved
        };
        let index = self.states[..end].iter().rposition(is_preemption)?;
        let (at, _) = self.states[index];
        let since = match self.states[..index].last() {
            Some(&(
                since,
                State::Running {
                    is_recorded: true, ..
                },
            )) => Some(since),
            _ => None,
        };
        (at >= from).then_some((at, since))
    }

    /// Whether anything is known of it.
    pub(super) fn has_begun(&self) -> bool {
        !self.states.is_empty()
    }

    /// When the wait began that lasts at an instant; `None` if it does not wait then.
    pub fn waits_since(&self, at: Instant) -> Option<Instant> {
        let next = self.states.partition_point(|&(from, _)| from <= at);
        let before = self.states[..next].iter().rev();
        let mut waiting = before.take_while(|(_, state)| matches!(state, State::Waiting { .. }));
        let &(last, _) = waiting.next()?;
        Some(waiting.last().map_or(last, |&(since, _)| since))
    }

    /// When the last wait before an instant began.
    pub fn last_wait(&self, at: Instant) -> Option<Instant> {
        let next = self.states.partition_point(|&(from, _)| from < at);
        let before = self.states[..next].iter();
        let mut waits = before.filter(|(_, state)| matches!(state, State::Waiting { .. }));
        self.waits_since(waits.next_back()?.0)
    }

    fn state(&self) -> State {
        self.states
            .last()
            .map_or(State::Unknown, |&(_, state)| state)
    }

    fn becomes(&mut self, at: Instant, state: State) {
        if self.state() != state {
            self.ready_since = match state {
                State::Ready { .. } => self.ready_since.or(Some(at)),
                _ => None,
            };
            self.states.push((at, state));
        }
    }

    fn switched_out(&mut self, event: &Event, left: Left, was_asked: bool, has_turns: bool) {
        self.gave_up = self.is_on_its_way && !was_asked;
        let state = match left {
            Left::Ready => State::Ready {
                on: event.processor,
                has_moved: false,
                was_preempted: was_asked && has_turns,
            },
            how => State::Waiting { how },
        };
        self.becomes(event.at, state);
    }

    fn was_readied(&mut self, at: Instant, on: ProcessorId) {
        self.readied.push(at);
        if !matches!(self.state(), State::Running { .. } | State::Ready { .. }) {
            self.gave_up = false;
            let ready = State::Ready {
                on,
                has_moved: false,
                was_preempted: false,
            };
            self.becomes(at, ready);
        }
    }

    fn moved(&mut self, at: Instant, to: ProcessorId) {
        if let State::Ready { was_preempted, .. } = self.state() {
            let moved = State::Ready {
                on: to,
                has_moved: true,
                was_preempted,
            };
            self.becomes(at, moved);
        }
    }

    /// An event shows it running, whether or not a switch to it was seen.
    fn was_seen_running(&mut self, event: &Event) {
        let on = event.processor;
        if !matches!(self.state(), State::Running { on: known, .. } if known == on) {
            let is_recorded = false;
            self.becomes(event.at, State::Running { on, is_recorded });
        }
    }

    /// An event shows another thread on its processor, and nothing says since when.
    fn was_seen_gone(&mut self, event: &Event) {
        if matches!(self.state(), State::Running { on, .. } if on == event.processor) {
            self.becomes(event.at, State::Unknown);
        }
    }
}

/// The histories of several threads, while they are made.
#[derive(Debug, Default)]
pub(super) struct Histories(BTreeMap<ThreadId, History>);

impl Histories {
    pub(super) fn follow(&mut self, thread: ThreadId) {
        self.0.entry(thread).or_default();
    }

    pub(super) fn remove(&mut self, thread: ThreadId) {
        self.0.remove(&thread);
    }

    pub(super) fn of(&self, thread: ThreadId) -> &History {
        const NOTHING: &History = &History::EMPTY;
        self.0.get(&thread).unwrap_or(NOTHING)
    }

    pub(super) fn forget(&mut self, before: Instant) {
        for history in self.0.values_mut() {
            forget(&mut history.states, before, |&(at, _)| at);
            forget(&mut history.readied, before, |&at| at);
        }
    }

    pub(super) fn len(&self) -> usize {
        let of_one = |history: &History| history.states.len() + history.readied.len();
        self.0.values().map(of_one).sum()
    }

    /// How a thread came to be ready, if it is.
    pub(super) fn queued(&self, thread: ThreadId) -> Option<Queued> {
        self.0.get(&thread)?.queued()
    }

    /// Takes in an event; `before` is what the events before it showed on its processor, and whether
    /// it had been asked to choose another.
    pub(super) fn note(&mut self, event: &Event, (before, was_asked): (Option<ThreadId>, bool)) {
        if let Some(running) = event.running {
            if before != Some(running) {
                self.with(before, |history| history.was_seen_gone(event));
            }
            self.with(Some(running), |history| history.was_seen_running(event));
        }
        match event.kind {
            Kind::Switch {
                previous,
                previous_state,
                previous_priority,
                next,
                ..
            } => {
                let has_turns = previous_priority.is_none_or(Priority::is_ordinary);
                self.with(Some(previous), |history| {
                    history.switched_out(event, previous_state, was_asked, has_turns);
                });
                // From a thread to which no switch was seen: a switch before this one was lost.
                let is_recorded = before.is_none() || before == Some(previous);
                let on = event.processor;
                self.with(Some(next), |history| {
                    history.becomes(event.at, State::Running { on, is_recorded });
                    history.is_on_its_way = true;
                });
            }
            Kind::Ready { thread, processor } => {
                self.with(Some(thread), |history| {
                    history.was_readied(event.at, processor);
                });
            }
            Kind::Migrated { thread, to } => {
                self.with(Some(thread), |history| history.moved(event.at, to));
            }
            Kind::Lost => self.with(before, |history| history.becomes(event.at, State::Unknown)),
            Kind::CallReturned => self.with(event.running, |history| history.is_on_its_way = true),
            _ => self.with(event.running, |history| history.is_on_its_way = false),
        }
    }

    fn with(&mut self, thread: Option<ThreadId>, act: impl FnOnce(&mut History)) {
        if let Some(history) = thread.and_then(|thread| self.0.get_mut(&thread)) {
            act(history);
        }
    }
}
