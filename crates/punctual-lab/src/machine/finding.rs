//! Findings about a machine, and actions that let a program wait better, as data. The command line puts the
//! findings into words and turns the actions into shell commands.

use crate::environment::{ProcessorQuota, ProcessorSet};
use punctual::Error;
use serde::Serialize;

/// One thing on which punctual waiting depends.
#[derive(Debug)]
pub struct Finding {
    /// The thing, with its facts.
    pub matter: Matter,
    /// How good it is for waits.
    pub state: State,
    /// The error of an attempt that failed.
    pub refusal: Option<Error>,
    /// The action that makes it good, if there is one.
    pub remedy: Option<Remedy>,
}

/// A thing on which punctual waiting depends. Its facts are `None` if the system does not tell them.
#[derive(Debug, Clone, PartialEq)]
pub enum Matter {
    /// A thread may have [`punctual::Priority::High`].
    HighPriority,
    /// A thread may have [`punctual::Priority::Realtime`].
    RealtimePriority,
    /// A thread may set its own slice. How long the calling thread's is, in nanoseconds.
    Slice(Option<u64>),
    /// A program may lock its memory.
    MemoryLock,
    /// A program may keep processors from deep sleep.
    IdleLatency,
    /// The usable processors, and all processors.
    Processors(Option<(ProcessorSet, ProcessorSet)>),
    /// How much processor time the program may use.
    Quota(Option<ProcessorQuota>),
    /// Whether each timer has an interrupt of its own.
    HighResolution(Option<bool>),
    /// How long the kernel may delay a wait, in nanoseconds.
    TimerSlack(Option<u64>),
    /// The kernel's clock source, and the cost of a reading in nanoseconds.
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
    /// The version of Wine, if this Windows is Wine.
    Wine(String),
    /// A method that cannot be made.
    Method(&'static str),
    /// All methods can be made: how many.
    Methods(usize),
    /// The kernel's trace may be read.
    KernelTrace,
}

/// How good a thing is for waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As good as it can be.
    Good,
    /// Worse than it could be.
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

    /// A thing that could be better, and the action that makes it so.
    pub fn limited(matter: Matter, remedy: Option<Remedy>) -> Self {
        Self::new(matter, State::Limited, remedy)
    }

    /// A thing that the system does not tell about.
    pub fn unknown(matter: Matter) -> Self {
        Self::new(matter, State::Unknown, None)
    }

    /// A thing that is good, or could be made better by this action. `None` if the system does not tell.
    pub fn judged(
        matter: Matter,
        is_good: Option<bool>,
        remedy: impl Into<Option<Remedy>>,
    ) -> Self {
        match is_good {
            Some(true) => Self::good(matter),
            Some(false) => Self::limited(matter, remedy.into()),
            None => Self::unknown(matter),
        }
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

/// An action that makes a machine fitter for punctual waiting. With `contained`, the program runs in a
/// container, which gets its permissions from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Permit priorities above normal.
    PermitPriority {
        /// Whether in a container.
        contained: bool,
    },
    /// Permit real-time priorities.
    PermitRealtime {
        /// Whether in a container.
        contained: bool,
    },
    /// Permit any amount of locked memory.
    PermitLocking {
        /// Whether in a container.
        contained: bool,
    },
    /// Permit programs to keep processors from deep sleep.
    PermitLatency {
        /// Whether in a container.
        contained: bool,
    },
    /// Give a container the device by which processors are kept from deep sleep.
    AddLatencyDevice,
    /// Permit these processors.
    WidenProcessors(String),
    /// Lift the quota of processor time.
    LiftQuota {
        /// Whether in a container.
        contained: bool,
    },
    /// Set the timer slack of a shell, and of the programs it starts, to a nanosecond.
    LeastSlack,
    /// Make the time-stamp counter the clock source.
    UseTimeStampCounter,
    /// Mount the file system that shows the mode of preemption.
    MountDebugFs,
    /// Let threads in the kernel be preempted.
    PreemptFully,
    /// Forbid idle states that take longer than this many microseconds to leave.
    LimitIdleStates {
        /// How many.
        microseconds: u64,
    },
    /// Keep the processors at their highest frequency.
    HighestFrequency,
    /// Permit io_uring.
    EnableIoUring,
    /// Start the container without its filter of system calls.
    Unconfined,
    /// Run as an administrator.
    BecomeAdministrator,
    /// Choose the power plan for high performance.
    HighPerformancePlan,
    /// A command that another crate names.
    Command(&'static str),
}

/// Something that a machine does not permit, and the action that would permit it.
#[derive(Debug)]
pub struct Refused {
    /// Why not.
    pub error: Error,
    /// The action, if there is one.
    pub remedy: Option<Remedy>,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self {
            error,
            remedy: None,
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        refused.error
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
