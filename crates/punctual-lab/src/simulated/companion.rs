//! Companions and loads as simulated processes and drivers.

use super::SimulatedCompanion;
use crate::conditions::Load;
use crate::conditions::{Companion, MOST_WORK, SLEEP_MILLIS};
use punctual::Error;
use std::num::NonZeroUsize;
use std::time::Duration;

/// `--load timers` on simulated machines: as many threads as on a real machine, with sleeps in
/// whole milliseconds and the same mean of about five.
const TIMERS: SimulatedCompanion = SimulatedCompanion::Sleepers {
    threads: 200,
    from: 1,
    to: 9,
    most_work: Duration::from_micros(5),
};

impl From<Companion> for SimulatedCompanion {
    fn from(companion: Companion) -> Self {
        match companion {
            Companion::Requester { interval, standing } => Self::Requester { interval, standing },
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
    /// The processes of this load on a simulated machine.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) if a simulated machine cannot have this load.
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
                "a simulated machine cannot have the load {self}, because it has no memory and runs \
                 no commands; it can have cpu, cpu:N, switch and timers"
            ))),
        }
    }
}
