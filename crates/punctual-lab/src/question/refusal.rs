//! Why a machine cannot answer a question, as data. The program that built the question words the
//! message.

use crate::conditions::{Companion, Slice, Standing};
use crate::machine::Refused;
use crate::vary::Condition;
use crate::waiters::Kind;
use punctual::Error;
use std::fmt;
use std::time::Duration;

/// The problem with a question, found before anything runs.
#[derive(Debug)]
pub enum Refusal {
    /// The machine offers nothing of that name.
    Unknown {
        /// What it is to do.
        kind: Kind,
        /// The name.
        name: String,
        /// The names that it does offer.
        known: Vec<&'static str>,
    },
    /// One name is given twice.
    Twice(String),
    /// A persona, which waits on simulated machines, and on those that its runtime runs on.
    Persona {
        /// The persona.
        name: &'static str,
        /// The oldest simulated Windows on which its runtime runs.
        earliest: &'static str,
    },
    /// A setting for something that is not to be tried.
    Unheard {
        /// The setting.
        wish: Wish,
        /// The waiter that the setting applies to; `None` if none of this schedule has it.
        name: Option<&'static str>,
    },
    /// The machine has no timer interval to request.
    NoInterval,
    /// The machine has nothing to tune.
    NothingToTune,
    /// The machine does not have what is varied.
    Vary(Condition),
    /// The time is too short for one wait of each waiter, or for two beats of each.
    TooShort {
        /// The number of waiters.
        tried: u64,
        /// The shortest time that is enough.
        least: Duration,
    },
    /// The work takes the whole period or more.
    TooMuchWork {
        /// How long the loop is to work.
        work: Duration,
        /// How long the period is.
        period: Duration,
    },
    /// The machine cannot have such a companion.
    Companion {
        /// The companion.
        companion: Companion,
        /// Why not.
        reason: Error,
    },
    /// The waiting process cannot stand so with the machine.
    Standing {
        /// What it was to be.
        standing: Standing,
        /// Why not.
        reason: Error,
    },
    /// The machine cannot have the load.
    Load(Error),
    /// The thread cannot be kept on that processor.
    Pin(Error),
    /// The thread's priority cannot be raised.
    Priority(Error),
    /// The thread cannot have that slice.
    Slice(Error),
    /// Threads of this machine have no slices of their own.
    NoSlices,
    /// One slice is given twice.
    SliceTwice(Slice),
    /// Two slices, where everything runs with one.
    OneSlice,
    /// Lengths that are tried only once, with the machine as it is.
    LengthsTuned,
    /// More slices than are compared.
    TooManySlices,
    /// The machine cannot be tuned.
    Tune(Refused),
    /// There is no such simulated machine.
    Machine(String),
}

/// A setting of a way of waiting that learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The share of waits that may end late.
    LateRate,
    /// The share of time that may be spent spinning.
    Budget,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { kind, name, known } => {
                let known = known.join(", ");
                write!(
                    f,
                    "there is no method '{name}' that {kind}; there are {known}"
                )
            }
            Self::Twice(name) => write!(f, "'{name}' is given twice, and each is tried once"),
            Self::Persona { name, earliest, .. } => write!(
                f,
                "'{name}' is the wait of a runtime, which is simulated on {earliest} and later"
            ),
            Self::Unheard { name, .. } => match name {
                Some(name) => write!(f, "it applies to '{name}', which is not selected"),
                None => f.write_str("nothing that waits for a length learns"),
            },
            Self::NoInterval => f.write_str("this system has no timer interval to request"),
            Self::Vary(Condition::Slack) => {
                f.write_str("threads of this machine have no timer slack")
            }
            Self::Vary(_) => Self::NoInterval.fmt(f),
            Self::NothingToTune => f.write_str("there is nothing to tune on this machine"),
            Self::TooShort { tried, least } => write!(
                f,
                "too short for a turn of each of {tried}; the least is {least:?}"
            ),
            Self::TooMuchWork { work, period } => write!(
                f,
                "{work:?} of work leaves no time to wait in a period of {period:?}"
            ),
            Self::Companion { companion, reason } => {
                write!(f, "{companion} is not available here: {reason}")
            }
            Self::Standing { reason, .. } => write!(f, "{reason}"),
            Self::NoSlices => {
                f.write_str("threads of this machine have no slice of their own; leave it out")
            }
            Self::SliceTwice(slice) => write!(f, "'{slice}' is given twice; give another, or one"),
            Self::OneSlice => f.write_str("waits of a length run with one slice; give one"),
            Self::LengthsTuned => {
                f.write_str("waits of a length run once; leave it out, or wait for deadlines")
            }
            Self::TooManySlices => write!(f, "more than {}; give one or two", Slice::MOST),
            Self::Load(error) | Self::Pin(error) | Self::Priority(error) | Self::Slice(error) => {
                write!(f, "{error}")
            }
            Self::Tune(refused) => write!(f, "{}", refused.error),
            Self::Machine(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::invalid_input(refusal.to_string())
    }
}
