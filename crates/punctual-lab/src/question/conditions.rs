//! The conditions on a machine while it answers a question.

use super::Refusal;
use crate::conditions::{Companion, Load, Priority};
use crate::machine::Machine;
use punctual::Error;
use punctual::guard::{PinGuard, PriorityGuard};
use serde::{Deserialize, Serialize};

/// The conditions. The default is an idle machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The load.
    pub load: Load,
    /// Other programs and drivers.
    pub with: Vec<Companion>,
    /// The priority of the waiting thread.
    pub priority: Priority,
    /// The processor that it is pinned to, if any.
    pub pin: Option<usize>,
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
