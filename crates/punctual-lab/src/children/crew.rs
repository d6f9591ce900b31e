//! The processes of one load or companion before they are started: how many, and their work.

use super::part::Part;
use super::running::Running;
use crate::conditions::{Companion, Load, standing};
use punctual::Error;
use std::num::NonZeroUsize;
use std::path::Path;

/// Processes that do the same work.
pub(super) struct Crew {
    /// Their name in messages.
    name: String,
    part: Part,
    count: usize,
}

impl Crew {
    /// `processors` is how many processes `cpu` makes.
    pub(super) fn of_load(load: &Load, processors: usize) -> Self {
        // All processes of a kind are alike, so only the starter needs their number.
        let alike = match load {
            Load::Cpu { .. } => Load::Cpu { processes: None },
            other => other.clone(),
        };
        Self {
            name: format!("the load {load}"),
            part: Part::Load(alike),
            count: process_count(load, processors),
        }
    }

    /// `number` tells companions apart.
    pub(super) fn of_companion(companion: &Companion, number: u32) -> Result<Self, Error> {
        let part = match *companion {
            Companion::Requester { standing, .. } if standing.hidden => {
                return Err(standing::not_hidden());
            }
            Companion::Requester { interval, standing } => Part::Requester {
                interval,
                throttling: standing.throttling,
            },
            Companion::Sleepers { threads } => Part::Sleepers { threads, number },
            Companion::Driver { .. } => return Err(Companion::no_driver()),
        };
        Ok(Self {
            name: format!("the companion {companion}"),
            part,
            count: 1,
        })
    }

    /// Starts them; `None` if it was told to stop before all of them were ready.
    pub(super) fn start(
        &self,
        program: &Path,
        stops: &dyn Fn() -> bool,
    ) -> Result<Option<Running>, Error> {
        Running::start(self.name.clone(), &self.part, program, self.count, stops)
    }

    pub(super) fn start_all(&self, program: &Path) -> Result<Running, Error> {
        let running = self.start(program, &|| false)?;
        Ok(running.expect("nothing told it to stop"))
    }
}

fn process_count(load: &Load, processors: usize) -> usize {
    match load {
        Load::None => 0,
        Load::Cpu { processes } => processes.map_or(processors, NonZeroUsize::get),
        Load::Switch | Load::Memory | Load::Timers | Load::Command(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spinning_process_per_processor_unless_said() {
        let count = |text: &str| process_count(&text.parse().unwrap(), 8);
        assert_eq!(count("none"), 0);
        assert_eq!(count("cpu"), 8);
        assert_eq!(count("cpu:3"), 3);
        assert_eq!(count("timers"), 1);
    }
}
