//! What the machine is to be like while something runs on it: load, company, and how the thread is
//! scheduled.

use crate::args::PriorityArg;
use crate::failure::Failure;
use punctual::Error;
use punctual::guard::{PinGuard, PriorityGuard};
use punctual_lab::Native;
use punctual_lab::load::Running;
#[cfg(feature = "sim")]
use punctual_lab::simulated::SimulatedMachine;
use punctual_lab::{Companion, Load, Machine};
use std::path::Path;

/// As the flags of the same names say.
pub struct Conditions<'a> {
    pub load: &'a Load,
    pub with: &'a [Companion],
    pub priority: PriorityArg,
    pub pin: Option<usize>,
}

impl Conditions<'_> {
    /// Tries on this thread what the measuring thread will do, and undoes it.
    pub fn ensure_scheduling(&self, machine: &Native) -> Result<(), Failure> {
        if let Some(processor) = self.pin {
            let pinned = PinGuard::pin(machine, processor);
            drop(pinned.map_err(|error| Failure::flag("--pin", error))?);
        }
        if let Some(priority) = self.priority.raised() {
            let refused = |error| format!("--priority {}: {error}", self.priority.name());
            let raised = PriorityGuard::raise(machine, priority);
            drop(raised.map_err(|error| Failure::run(refused(error)))?);
        }
        Ok(())
    }

    /// Companions that the machine cannot have are refused, with the reason.
    pub fn ensure_companions<M: Machine>(&self) -> Result<(), Failure> {
        for companion in self.with {
            M::offers(companion).map_err(|reason| {
                let hint = if cfg!(feature = "sim") {
                    "; a simulated machine can have it (try --on windows-10-2004)"
                } else {
                    ""
                };
                Failure::flag("--with", format!("no {companion} here: {reason}{hint}"))
            })?;
        }
        Ok(())
    }

    /// Starts the load, on as many processors as this program may use, and the companions.
    pub fn start(&self) -> Result<Vec<Running>, Failure> {
        if *self.load == Load::None && self.with.is_empty() {
            return Ok(Vec::new());
        }
        let program = std::env::current_exe().map_err(|error| {
            Failure::run(format!("cannot find this program to start a load: {error}"))
        })?;
        self.start_with(&program).map_err(Failure::run)
    }

    fn start_with(&self, program: &Path) -> Result<Vec<Running>, Error> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let mut running = vec![self.load.start(program, processors)?];
        for (number, companion) in (0..).zip(self.with) {
            running.push(companion.start(program, number)?);
        }
        Ok(running)
    }

    /// The simulated machine with the companions and the load that were asked for.
    #[cfg(feature = "sim")]
    pub fn on(&self, machine: &SimulatedMachine) -> Result<SimulatedMachine, Failure> {
        let mut machine = machine.clone();
        let processors = machine.parameters.processors;
        if let Some(processor) = self.pin.filter(|&processor| processor >= processors) {
            let problem = format!(
                "there is no processor {processor}: they are 0 to {}",
                processors - 1
            );
            return Err(Failure::flag("--pin", problem));
        }
        machine.companions = self.with.iter().copied().map(Into::into).collect();
        let load = self.load.simulated(processors);
        let load = load.map_err(|error| Failure::flag("--load", error))?;
        machine.companions.extend(load);
        Ok(machine)
    }
}
