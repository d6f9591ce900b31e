//! What was found out about a machine, as data: the command puts it into words.

use super::Remedy;
use crate::environment::{ProcessorQuota, ProcessorSet};
use punctual::Error;

/// One thing on which punctual waiting depends.
#[derive(Debug)]
pub struct Finding {
    /// The thing, with what is known of it.
    pub matter: Matter,
    /// How it stands.
    pub state: State,
    /// The error of an attempt that failed.
    pub refusal: Option<Error>,
    /// What would make it good, where something would.
    pub remedy: Option<Remedy>,
}

/// What punctual waiting depends on. Facts are `None` where the system does not tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Matter {
    /// A thread may have [`punctual::Priority::High`].
    HighPriority,
    /// A thread may have [`punctual::Priority::Realtime`].
    RealtimePriority,
    /// A program may lock its memory.
    MemoryLock,
    /// A program may keep processors from deep sleep.
    IdleLatency,
    /// The processors that may be used, and all there are.
    Processors(Option<(ProcessorSet, ProcessorSet)>),
    /// How much processor time the program may use.
    Quota(Option<ProcessorQuota>),
    /// Whether each timer has an interrupt of its own.
    HighResolution(Option<bool>),
    /// By how much the kernel may delay a wait, in nanoseconds.
    TimerSlack(Option<u64>),
    /// The kernel's clock source, and what a reading of the clock costs in nanoseconds.
    Clock(Option<(String, f64)>),
    /// The kernel's preemption model, and the mode of a dynamic one.
    Preemption(Option<(String, Option<String>)>),
    /// The deepest idle state and how many nanoseconds it takes to leave; none where the kernel
    /// chooses none.
    IdleStates(Option<Option<(String, u64)>>),
    /// The governor of the processors' frequency.
    Frequency(Option<String>),
    /// Whether the kernel tells how long a thread was ready and did not run.
    QueueTime,
    /// The shortest timer interval in nanoseconds that can be asked for.
    TimerInterval(Option<u64>),
    /// The program runs as an administrator.
    Administrator,
    /// The power plan.
    PowerPlan(Option<String>),
    /// The version of Wine that plays Windows.
    Wine(String),
    /// A method that cannot be made.
    Method(&'static str),
    /// All methods can be made: how many.
    Methods(usize),
    /// The kernel's trace may be read.
    KernelTrace,
}

/// How a thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// As waiting would have it.
    Good,
    /// There, and worse than it could be.
    Limited,
    /// Not there, or not permitted.
    Missing,
    /// The system does not tell.
    Unknown,
}

impl Finding {
    /// A thing that needs no remedy.
    pub fn good(matter: Matter) -> Self {
        Self::new(matter, State::Good, None)
    }

    /// A thing that could be better, and what would make it so.
    pub fn limited(matter: Matter, remedy: Option<Remedy>) -> Self {
        Self::new(matter, State::Limited, remedy)
    }

    /// A thing of which the system does not tell.
    pub fn unknown(matter: Matter) -> Self {
        Self::new(matter, State::Unknown, None)
    }

    /// Any state.
    pub fn new(matter: Matter, state: State, remedy: Option<Remedy>) -> Self {
        Self {
            matter,
            state,
            refusal: None,
            remedy,
        }
    }

    /// The result of an attempt. The remedy belongs to a failed one.
    pub fn attempted<T>(matter: Matter, attempt: Result<T, Error>, remedy: Option<Remedy>) -> Self {
        match attempt {
            Ok(_) => Self::good(matter),
            Err(error) => Self {
                refusal: Some(error),
                ..Self::new(matter, State::Missing, remedy)
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_is_refused_comes_with_the_error_and_the_remedy() {
        let remedy = Some(Remedy::PermitLocking { contained: false });
        let refused: Result<(), _> = Err(Error::not_permitted("no"));
        let finding = Finding::attempted(Matter::MemoryLock, refused, remedy.clone());
        assert_eq!(finding.state, State::Missing);
        assert!(finding.refusal.unwrap().is_not_permitted());
        assert_eq!(finding.remedy, remedy);
        let made = Finding::attempted(Matter::MemoryLock, Ok(()), remedy);
        assert_eq!((made.state, made.remedy), (State::Good, None));
    }
}
