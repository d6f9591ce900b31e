//! Why a run of a machine has no result, and how a process ended.

use punctual::Instant;
use std::fmt;

/// Why a simulated machine could not be set up or has no result.
///
/// ```
/// use punctual::os::Os;
/// use punctual_sim::{Plain, Setup, SimOs, simulate};
/// use std::time::Duration;
///
/// let waits_for_nothing = |os: SimOs| {
///     let bell = os.bell();
///     os.wait(None, Duration::ZERO, &bell);
/// };
/// let error = simulate(Setup::default(), Plain::default(), waits_for_nothing).unwrap_err();
/// assert!(error.is_deadlock());
/// assert!(error.to_string().contains(r#"thread "main" of process "main" waits for bell 0"#));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Deadlock { at: Instant, waiting: Vec<String> },
    Ended { at: Instant, exit: Exit },
    TimeLimit { at: Instant },
    Limit { what: &'static str, limit: usize },
    Invalid { message: String },
    Host { message: String },
}

/// Threads that a report of a deadlock names: a screenful.
const NAMED: usize = 20;

impl Error {
    pub(crate) fn deadlock(at: Instant, waiting: Vec<String>) -> Self {
        Self::new(Kind::Deadlock { at, waiting })
    }

    pub(crate) fn ended(at: Instant, exit: Exit) -> Self {
        Self::new(Kind::Ended { at, exit })
    }

    pub(crate) fn time_limit(at: Instant) -> Self {
        Self::new(Kind::TimeLimit { at })
    }

    pub(crate) fn limit(what: &'static str, limit: usize) -> Self {
        Self::new(Kind::Limit { what, limit })
    }

    pub(crate) fn invalid(message: String) -> Self {
        Self::new(Kind::Invalid { message })
    }

    pub(crate) fn host(message: String) -> Self {
        Self::new(Kind::Host { message })
    }

    fn new(kind: Kind) -> Self {
        Self { kind }
    }

    /// Whether no thread could ever run again. This is a bug of the simulated program.
    pub fn is_deadlock(&self) -> bool {
        matches!(self.kind, Kind::Deadlock { .. })
    }

    /// How the main process ended, if it ended without a result: by a panic, or killed.
    pub fn exit(&self) -> Option<&Exit> {
        match &self.kind {
            Kind::Ended { exit, .. } => Some(exit),
            _ => None,
        }
    }

    /// Whether [`Limits::time`](crate::Limits::time) was reached.
    pub fn is_time_limit(&self) -> bool {
        matches!(self.kind, Kind::TimeLimit { .. })
    }

    /// Whether another one of the [`Limits`](crate::Limits) was reached.
    pub fn is_limit(&self) -> bool {
        matches!(self.kind, Kind::Limit { .. })
    }

    /// Whether the setup of the machine was invalid.
    pub fn is_invalid_input(&self) -> bool {
        matches!(self.kind, Kind::Invalid { .. })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Deadlock { at, waiting } => {
                write!(f, "deadlock at {at:?}: nothing can ever run again")?;
                for thread in waiting.iter().take(NAMED) {
                    write!(f, "; {thread}")?;
                }
                match waiting.len().checked_sub(NAMED) {
                    None | Some(0) => Ok(()),
                    Some(more) => write!(f, "; and {more} more"),
                }
            }
            Kind::Ended { at, exit } => write!(f, "the main process ended at {at:?}: {exit}"),
            Kind::TimeLimit { at } => write!(
                f,
                "the main process still ran at {at:?}, the limit of virtual time"
            ),
            Kind::Limit { what, limit } => write!(
                f,
                "the machine's limit of {limit} {what} is reached: raise `Limits::{what}`, or \
                 need fewer"
            ),
            Kind::Invalid { message } | Kind::Host { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for punctual::Error {
    fn from(error: Error) -> Self {
        Self::system(error.to_string())
    }
}

/// How a process ended. In each case, everything that it held is released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// Its main thread returned, or it ended itself.
    Returned,
    /// One of its threads panicked.
    Panicked {
        /// The thread's name.
        thread: String,
        /// What it panicked with.
        message: String,
    },
    /// It was killed.
    Killed,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Returned => f.write_str("returned"),
            Self::Panicked { thread, message } => {
                write!(f, "thread {thread:?} panicked: {message}")
            }
            Self::Killed => f.write_str("was killed"),
        }
    }
}
