//! What a signal does, as a state machine.

use super::{Heard, Signal};
use std::time::{Duration, Instant};

/// Two signals of a kind within this time are one: `timeout` sends its signal to a process and then
/// to the process's group. A person needs longer to press a key twice.
///
/// <https://www.gnu.org/software/coreutils/manual/html_node/timeout-invocation.html>
const DOUBLE_WITHIN: Duration = Duration::from_millis(50);

/// How a command treats signals at a moment.
#[derive(Default)]
pub(super) enum SignalPolicy {
    /// There is nothing to show or to undo.
    #[default]
    EndsAtOnce,
    /// It checks often.
    Checks,
    /// It checks rarely.
    Computes,
    /// It passes every signal on.
    PassesOn(Box<dyn Fn(Heard) + Send>),
}

/// What is to be done about a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaction {
    None,
    /// End the process.
    Exit,
    /// Tell the command.
    Ask,
    /// Tell the command, and end the process if the command does not end.
    AskAndWatch,
}

#[derive(Default)]
pub(super) struct State {
    policy: SignalPolicy,
    /// How many times the policy was [`SignalPolicy::EndsAtOnce`] again.
    pub(super) ended_guards: u64,
    first: Option<Signal>,
    latest: Option<(Signal, Instant)>,
    /// What to call at the first signal.
    acts: Vec<Box<dyn Fn() + Send>>,
}

impl State {
    /// Returns the policy until now. While signals are passed on, they go on being passed on.
    pub(super) fn guard_in(&mut self, policy: SignalPolicy) -> Option<SignalPolicy> {
        match self.policy {
            SignalPolicy::PassesOn(_) => None,
            _ => Some(std::mem::replace(&mut self.policy, policy)),
        }
    }

    pub(super) fn pass_on(&mut self, pass: Box<dyn Fn(Heard) + Send>) {
        if let Some(signal) = self.first {
            pass(Heard {
                signal,
                by_process: true,
            });
        }
        self.policy = SignalPolicy::PassesOn(pass);
    }

    /// Goes back to the policy before. Whether a signal has come.
    pub(super) fn end_guard(&mut self, before: Option<SignalPolicy>) -> bool {
        if let Some(before) = before {
            if let SignalPolicy::EndsAtOnce = before {
                self.ended_guards += 1;
            }
            self.policy = before;
        }
        self.first.is_some()
    }

    /// The first signal that came.
    pub(super) fn first(&self) -> Option<Signal> {
        self.first
    }

    pub(super) fn then(&mut self, act: Box<dyn Fn() + Send>) {
        if self.first.is_some() {
            act();
        }
        self.acts.push(act);
    }

    /// Whether this signal may ask to read the settings again, not to end. The settings may have
    /// changed since the latest one, however short ago that was.
    fn reads_again_at(&self, signal: Signal) -> bool {
        signal == Signal::HangUp && matches!(self.policy, SignalPolicy::PassesOn(_))
    }

    pub(super) fn hear(&mut self, heard: Heard, now: Instant) -> Reaction {
        let signal = heard.signal;
        let latest = self.latest.replace((signal, now));
        let is_double =
            latest.is_some_and(|(latest, at)| latest == signal && now - at < DOUBLE_WITHIN);
        if is_double && !self.reads_again_at(signal) {
            return Reaction::None;
        }
        let is_first = self.first.is_none();
        self.first.get_or_insert(signal);
        let reaction = match &self.policy {
            SignalPolicy::PassesOn(pass) => {
                pass(heard);
                Reaction::Ask
            }
            SignalPolicy::Checks if is_first => Reaction::Ask,
            SignalPolicy::Computes if is_first => Reaction::AskAndWatch,
            SignalPolicy::EndsAtOnce | SignalPolicy::Checks | SignalPolicy::Computes => {
                Reaction::Exit
            }
        };
        if is_first {
            self.acts.iter().for_each(|act| act());
        }
        reaction
    }
}
