//! What every question has: the conditions, the machine, and why a machine cannot answer.

use crate::conditions::{Companion, Load, Priority, Slice, Standing};
use crate::machine::{Machine, Refused};
use crate::vary::Condition;
use crate::waiters::Kind;
use punctual::guard::{PinGuard, PriorityGuard, SliceGuard};
use punctual::{Error, os};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// A simulated machine, as data that every build can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulated {
    /// Its name, hardware and settings: `windows-7,processors=2`.
    pub machine: String,
    /// The seed of its random numbers.
    pub seed: u64,
}

// The conditions on a machine while it answers a question.

/// The conditions. The default is an idle machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The load.
    pub load: Load,
    /// Other programs and drivers.
    pub with: Vec<Companion>,
    /// How the waiting process stands with Windows.
    #[serde(default, skip_serializing_if = "Standing::is_usual")]
    pub standing: Standing,
    /// The priority of the waiting thread.
    pub priority: Priority,
    /// The processor that it is pinned to, if any.
    pub pin: Option<usize>,
    /// The slices of the waiting thread, at most two: everything is tried under the first, and once more
    /// under the second. If there is none, Punctual's own ways of waiting set theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<Slice>,
}

impl Conditions {
    /// Schedules the calling thread like this, until the returned value is dropped.
    ///
    /// # Errors
    /// If the system does not permit it, or has no such processor.
    pub fn schedule<M: Machine>(&self, machine: &M) -> Result<impl Sized + use<M>, Refusal> {
        let pin = self
            .pin
            .map(|processor| PinGuard::pin(machine, processor))
            .transpose()
            .map_err(Refusal::Pin)?;
        let raised = self
            .priority
            .raised()
            .map(|priority| PriorityGuard::raise(machine, priority))
            .transpose()
            .map_err(Refusal::Priority)?;
        // Undone in the order of the pair: the priority before the processor.
        Ok((raised, pin))
    }

    /// Tries on the calling thread what the waiting thread will do, and undoes it.
    ///
    /// # Errors
    /// If the system does not permit it, or has no such processor.
    pub fn rehearse<M: Machine>(&self, machine: &M) -> Result<(), Refusal> {
        let _scheduled = self.schedule(machine)?;
        let mut set = self.slices.iter().filter_map(|slice| slice.set());
        set.try_for_each(|slice| {
            let tried = SliceGuard::set(machine, slice);
            tried.map(drop).map_err(Refusal::Slice)
        })
    }

    /// What Punctual's own ways of waiting do with the slice: nothing if the question says which it is.
    pub fn slice_of_sleepers(&self) -> os::Slice {
        match self.slices.is_empty() {
            true => os::Slice::default(),
            false => os::Slice::Unchanged,
        }
    }

    /// Checks that the machine has slices if there are any, and that these are not too many.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn ensure_slices<M: Machine>(&self) -> Result<(), Refusal> {
        match self.slices.as_slice() {
            [] => Ok(()),
            _ if !M::HAS_SLICES => Err(Refusal::NoSlices),
            [one, other] if one == other => Err(Refusal::SliceTwice(*one)),
            slices if slices.len() > Slice::MOST => Err(Refusal::TooManySlices),
            _ => Ok(()),
        }
    }

    /// Checks that the waiting process can stand so with the machine.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub fn ensure_standing<M: Machine>(&self) -> Result<(), Refusal> {
        let standing = self.standing;
        if standing.is_usual() {
            return Ok(());
        }
        M::allows(&standing).map_err(|reason| Refusal::Standing { standing, reason })
    }

    /// Checks that the machine can have the companions.
    ///
    /// # Errors
    /// The first companion that it cannot have, with the reason.
    pub fn ensure_companions<M: Machine>(&self) -> Result<(), Refusal> {
        let refused = |companion: &Companion, reason: Error| Refusal::Companion {
            companion: *companion,
            reason,
        };
        self.with.iter().try_for_each(|companion| {
            M::offers(companion).map_err(|reason| refused(companion, reason))
        })
    }
}

// Whether a question's personas can wait on its machine.

/// Refuses personas that are asked of this computer, or of a Windows that their runtime does not run
/// on.
#[cfg(feature = "sim")]
pub(crate) fn ensure_personas(names: &[String], on: Option<&Simulated>) -> Result<(), Refusal> {
    let found = names.iter().map(|name| crate::personas::named(name));
    for persona in found.flatten() {
        let machine = on.map(|simulated| simulated.machine.as_str());
        let version = machine.map(|machine| machine.split(',').next().unwrap_or(machine));
        if version.is_none_or(|version| !persona.runs_on(version)) {
            return Err(Refusal::Persona {
                name: persona.id,
                earliest: persona.earliest_windows,
            });
        }
    }
    Ok(())
}

/// Without simulated machines there are no personas: their names are unknown.
#[cfg(not(feature = "sim"))]
pub(crate) fn ensure_personas(_: &[String], _: Option<&Simulated>) -> Result<(), Refusal> {
    Ok(())
}

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
