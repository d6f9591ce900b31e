//! Simulated machines by name: `windows-10-2004,processors=2`.

mod companion;
mod environment;
mod machine;
pub mod sweep;

use punctual::os::windows::WindowsOs;
pub use punctual_sim::windows::Parameter;
pub use punctual_sim::windows::machine::Companion as SimulatedCompanion;
use punctual_sim::windows::machine::{SimWin32, WindowsMachine};
use punctual_sim::windows::{MachineParameters, VERSIONS, Version};
use punctual_sim::{Error, Limits, Run};
use std::fmt;
use std::str::FromStr;

/// The operating system of a simulated machine, as experiments know it.
pub type SimulatedOs = WindowsOs<SimWin32>;

/// A simulated machine that is yet to run: a version of Windows, its hardware and settings, and who
/// else is there.
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
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedMachine {
    /// Which Windows it runs.
    pub version: Version,
    /// Its hardware and settings.
    pub parameters: MachineParameters,
    /// Other programs and drivers.
    pub companions: Vec<SimulatedCompanion>,
}

impl SimulatedMachine {
    /// Runs a program on it, from this seed of all its chance.
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

    /// The same, keeping the last so many records of what happened.
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
            .with_parameters(self.parameters)
            .with_limits(limits)
            .with_seed(seed);
        let companions = self.companions.iter().copied();
        companions
            .fold(machine, WindowsMachine::with_companion)
            .run(|win32| body(WindowsOs::on(win32)))
    }
}

impl FromStr for SimulatedMachine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, parameters) = text.split_once(',').unwrap_or((text, ""));
        let version = Version::named(name).map_err(|_| {
            let names: Vec<_> = VERSIONS.iter().map(|version| version.name).collect();
            format!(
                "there is no machine '{name}'; there are {}",
                names.join(", ")
            )
        })?;
        Ok(Self {
            version,
            parameters: parameters.parse()?,
            companions: Vec::new(),
        })
    }
}

/// The name and the hardware; who else is there has a flag of its own.
impl fmt::Display for SimulatedMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.version.name)?;
        let parameters = self.parameters.to_string();
        if !parameters.is_empty() {
            write!(f, ",{parameters}")?;
        }
        Ok(())
    }
}
