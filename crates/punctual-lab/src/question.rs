//! What every question has: the conditions, the machine, and why a machine cannot answer.

mod refusal;

pub use refusal::{Refusal, Wish};

use crate::conditions::{Companion, Load, Priority, Slice, Standing};
use crate::machine::Machine;
use punctual::guard::{PinGuard, PriorityGuard, SliceGuard};
use punctual::{Error, os};
use serde::{Deserialize, Serialize};

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
