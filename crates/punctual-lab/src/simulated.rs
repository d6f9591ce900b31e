//! Simulated machines by name: `windows-10-2004,due-time=coarse,processors=2`.

mod companion;
mod environment;
mod machine;
mod name;

use crate::question::{Conditions, Refusal, Simulated};
use punctual::os::windows::WindowsOs;
pub use punctual_sim::windows::Parameter;
pub use punctual_sim::windows::machine::Companion as SimulatedCompanion;
use punctual_sim::windows::machine::{SimWin32, WindowsMachine};
use punctual_sim::windows::{MachineParameters, Rules, Version};
use punctual_sim::{Error, Limits, Run};

/// The operating system of a simulated machine, as experiments use it.
pub type SimulatedOs = WindowsOs<SimWin32>;

/// A simulated machine before its start: a version of Windows, its rules, its hardware and settings,
/// and its companions.
///
/// Its text is the version's name, the rules that differ from the version's, and the settings that
/// differ from the usual ones. What is not named is as usual. Companions have a flag of their own.
///
/// ```
/// use punctual::Sleeper;
/// use punctual_lab::simulated::SimulatedMachine;
/// use std::time::Duration;
///
/// let machine: SimulatedMachine = "windows-7,processors=2".parse()?;
/// let run = machine.run(1, |os| {
///     Sleeper::on(os).sleep(Duration::from_millis(5)).lateness()
/// });
/// assert!(run.is_ok_and(|run| run.value < Duration::from_millis(16)));
///
/// let text = "windows-10-2004,due-time=coarse,processors=2";
/// let machine: SimulatedMachine = text.parse()?;
/// assert!(!machine.has_usual_rules());
/// assert_eq!(machine.to_string(), text);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedMachine {
    /// The version of Windows. It decides which calls exist.
    pub version: Version,
    /// How its timed waits end: the version's rules, unless some were changed.
    pub rules: Rules,
    /// Its hardware and settings.
    pub parameters: MachineParameters,
    /// Other programs and drivers.
    pub companions: Vec<SimulatedCompanion>,
}

impl SimulatedMachine {
    /// A version of Windows with its own rules on the usual hardware, without companions.
    pub fn usual(version: Version) -> Self {
        Self {
            version,
            rules: version.rules,
            parameters: MachineParameters::default(),
            companions: Vec::new(),
        }
    }

    /// Whether its rules are those of its version. With other rules, what is published of the version
    /// says nothing about the machine.
    pub fn has_usual_rules(&self) -> bool {
        self.rules == self.version.rules
    }

    /// The machine that a question names.
    ///
    /// # Errors
    /// If there is no such machine, or if it cannot have these settings.
    pub fn of(simulated: &Simulated) -> Result<Self, Refusal> {
        simulated.machine.parse().map_err(Refusal::Machine)
    }

    /// The same machine with this load and these companions.
    ///
    /// # Errors
    /// If it cannot have the load, or lacks the processor that the thread is pinned to.
    pub fn under(mut self, conditions: &Conditions) -> Result<Self, Refusal> {
        let processors = self.parameters.processors;
        if let Some(processor) = conditions.pin.filter(|&processor| processor >= processors) {
            return Err(Refusal::Pin(punctual::Error::invalid_input(format!(
                "there is no processor {processor}; write 0 to {}",
                processors - 1
            ))));
        }
        self.companions = conditions.with.iter().copied().map(Into::into).collect();
        let load = conditions.load.simulated(processors);
        self.companions.extend(load.map_err(Refusal::Load)?);
        Ok(self)
    }

    /// Runs a program on it, with this seed of its random numbers.
    ///
    /// # Errors
    /// As [`WindowsMachine::run`].
    pub fn run<T: Send + 'static>(
        &self,
        seed: u64,
        body: impl FnOnce(SimulatedOs) -> T + Send + 'static,
    ) -> Result<Run<T>, Error> {
        self.run_logged(seed, 0, body)
    }

    /// The same, and keeps this many of the last records of what happened.
    ///
    /// # Errors
    /// As [`WindowsMachine::run`].
    pub fn run_logged<T: Send + 'static>(
        &self,
        seed: u64,
        records: usize,
        body: impl FnOnce(SimulatedOs) -> T + Send + 'static,
    ) -> Result<Run<T>, Error> {
        let limits = Limits {
            log: records,
            ..Limits::default()
        };
        let machine = WindowsMachine::new(self.version)
            .with_rules(self.rules)
            .with_parameters(self.parameters)
            .with_limits(limits)
            .with_seed(seed);
        let companions = self.companions.iter().copied();
        companions
            .fold(machine, WindowsMachine::with_companion)
            .run(|win32| body(WindowsOs::on(win32)))
    }
}
