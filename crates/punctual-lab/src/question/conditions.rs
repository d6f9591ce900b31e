//! What a machine is to be like while a question is answered.

use super::Refusal;
use crate::conditions::{Companion, Load, Priority};
use crate::machine::Machine;
use punctual::Error;
use punctual::guard::{PinGuard, PriorityGuard};
use serde::{Deserialize, Serialize};

/// All of it. Nothing of the kind by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// What the machine is made to do besides.
    pub load: Load,
    /// Who else is there.
    pub with: Vec<Companion>,
    /// The priority of the thread that waits.
    pub priority: Priority,
    /// The processor that it is kept on, if any.
    pub pin: Option<usize>,
}

impl Conditions {
    /// Schedules the calling thread as asked, until what is returned is dropped.
    ///
    /// # Errors
    /// When the system does not permit it, or has no such processor.
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
        // Given back in the order of the pair: the priority before the processor.
        Ok((raised, pin))
    }

    /// Refuses companions that such a machine cannot have.
    ///
    /// # Errors
    /// Names the first of them, with the reason.
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
