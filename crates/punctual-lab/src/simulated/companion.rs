//! Companions as simulated processes and drivers.

use super::SimulatedCompanion;
use crate::companion::{Companion, MOST_WORK, SLEEP_MILLIS};

impl From<Companion> for SimulatedCompanion {
    fn from(companion: Companion) -> Self {
        match companion {
            Companion::Requester { interval } => Self::Requester { interval },
            Companion::Driver { interval } => Self::Driver { interval },
            Companion::Sleepers { threads } => Self::Sleepers {
                threads: threads.get(),
                from: *SLEEP_MILLIS.start(),
                to: *SLEEP_MILLIS.end(),
                most_work: MOST_WORK,
            },
        }
    }
}
