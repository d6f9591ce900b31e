//! The machine to ask.

use punctual_lab::question::Simulated;
use std::fmt;
use std::str::FromStr;

/// The flags of every command that can ask a simulated machine.
#[derive(Debug, clap::Args)]
pub struct OnArgs {
    /// Use a simulated machine, in virtual time: windows-xp, windows-7, windows-8, windows-10-1909,
    /// windows-10-2004 or windows-11
    ///
    /// Settings and rules may follow the name: windows-10-2004,processors=2,noise=5us/1ms or
    /// windows-10-2004,due-time=coarse. 'punctual machines' lists them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<MachineName>,

    /// The seed of a simulated machine's random numbers
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    pub seed: u64,
}

impl OnArgs {
    /// The choice as a question holds it.
    pub fn simulated(&self) -> Option<Simulated> {
        self.on.as_ref().map(|machine| machine.seeded(self.seed))
    }
}

/// The name of a simulated machine with its settings, in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineName(String);

impl MachineName {
    /// The machine with this seed of its random numbers.
    pub fn seeded(&self, seed: u64) -> Simulated {
        Simulated {
            machine: self.0.clone(),
            seed,
        }
    }
}

impl FromStr for MachineName {
    type Err = String;

    #[cfg(feature = "sim")]
    fn from_str(text: &str) -> Result<Self, String> {
        let machine: punctual_lab::simulated::SimulatedMachine = text.parse()?;
        Ok(Self(machine.to_string()))
    }

    #[cfg(not(feature = "sim"))]
    fn from_str(_: &str) -> Result<Self, String> {
        Err(crate::unsimulated::REASON.to_owned())
    }
}

impl fmt::Display for MachineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
