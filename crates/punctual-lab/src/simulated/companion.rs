//! Companions and loads as simulated processes and drivers.

use super::SimulatedCompanion;
use crate::conditions::Load;
use crate::conditions::{Companion, MOST_WORK, SLEEP_MILLIS};
use punctual::Error;
use std::num::NonZeroUsize;
use std::time::Duration;

/// What `--load timers` is there: as many threads as on a real machine, whose sleeps are whole
/// milliseconds with the same mean of about five.
const TIMERS: SimulatedCompanion = SimulatedCompanion::Sleepers {
    threads: 200,
    from: 1,
    to: 9,
    most_work: Duration::from_micros(5),
};

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

impl Load {
    /// The processes that this load is on a simulated machine.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) where a simulated machine has nothing to keep busy.
    pub fn simulated(&self, processors: usize) -> Result<Vec<SimulatedCompanion>, Error> {
        match self {
            Self::None => Ok(Vec::new()),
            Self::Cpu { processes } => {
                let processes = processes.map_or(processors, NonZeroUsize::get);
                Ok(vec![SimulatedCompanion::Load; processes])
            }
            Self::Switch => Ok(vec![SimulatedCompanion::Switch]),
            Self::Timers => Ok(vec![TIMERS]),
            Self::Memory | Self::Command(_) => Err(Error::unsupported(format!(
                "a simulated machine has no load {self}: it has no memory to stream through and runs \
                 no programs of this one; it has cpu, cpu:N, switch and timers"
            ))),
        }
    }
}
