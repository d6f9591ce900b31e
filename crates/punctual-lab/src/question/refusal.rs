//! Why a question is not asked of a machine, as data: whoever built the question knows what to call
//! its parts.

use crate::conditions::Companion;
use crate::machine::Refused;
use punctual::Error;
use std::fmt;
use std::time::Duration;

/// What is wrong with a question, before anything runs.
#[derive(Debug)]
pub enum Refusal {
    /// The machine offers nothing of that name.
    Unknown {
        /// Of what kind.
        kind: Kind,
        /// The name.
        name: String,
        /// What it does offer.
        known: Vec<&'static str>,
    },
    /// One name is given twice.
    Twice {
        /// Of what kind.
        kind: Kind,
        /// The name.
        name: String,
    },
    /// A wish for something that is not to be tried.
    Unheard {
        /// The wish.
        wish: Wish,
        /// Of what kind it is.
        kind: Kind,
        /// Whose wish it is.
        name: &'static str,
    },
    /// The machine has no timer interval to ask for.
    NoInterval,
    /// There is nothing to tune.
    NothingToTune,
    /// There is no time for one wait of each method, or for two beats of each way.
    TooShort {
        /// How many of them there are.
        tried: u64,
        /// What is enough.
        least: Duration,
    },
    /// The work leaves nothing of the period.
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
    /// The machine cannot have the load.
    Load(Error),
    /// The thread cannot be kept on that processor.
    Pin(Error),
    /// The thread's priority cannot be raised.
    Priority(Error),
    /// The machine cannot be tuned.
    Tune(Refused),
    /// There is no such simulated machine.
    Machine(String),
}

/// What an experiment tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Ways of waiting.
    Method,
    /// Ways of keeping a beat.
    Way,
}

/// What a way of waiting that learns is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The share of waits that may end late.
    LateRate,
    /// The share of time that may be spent spinning.
    Budget,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Method => "method",
            Self::Way => "way",
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { kind, name, known } => {
                let known = known.join(", ");
                write!(f, "there is no {kind} '{name}'; there are {known}")
            }
            Self::Twice { kind, name } => {
                write!(f, "'{name}' is given twice, and each {kind} is tried once")
            }
            Self::Unheard { kind, name, .. } => {
                write!(f, "it is for {kind} '{name}', which is not to be tried")
            }
            Self::NoInterval => f.write_str("nobody can ask this system for a timer interval"),
            Self::NothingToTune => f.write_str("there is nothing to tune on this machine"),
            Self::TooShort { tried, least } => write!(
                f,
                "too short for {tried} to have a turn each; the least is {least:?}"
            ),
            Self::TooMuchWork { work, period } => write!(
                f,
                "{work:?} of work leaves nothing of a period of {period:?} to wait"
            ),
            Self::Companion { companion, reason } => write!(f, "no {companion} here: {reason}"),
            Self::Load(error) | Self::Pin(error) | Self::Priority(error) => write!(f, "{error}"),
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
