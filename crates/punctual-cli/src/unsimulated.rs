//! What stands where simulated machines would, in a build without them: the words are known, and
//! answered with the reason.

use crate::args::SweepArgs;
use crate::failure::Failure;
use std::convert::Infallible;
use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

const REASON: &str = "this build of Punctual has no simulated machines; build it with its feature \
                      `sim`, which is on unless it is turned off";

/// There is none.
#[derive(Debug, Clone)]
pub struct SimulatedMachine(Infallible);

impl FromStr for SimulatedMachine {
    type Err = &'static str;

    fn from_str(_: &str) -> Result<Self, Self::Err> {
        Err(REASON)
    }
}

impl fmt::Display for SimulatedMachine {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

/// Whatever follows a command that this build does not have.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct Anything {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

pub type MachinesArgs = Anything;
pub type EvidenceArgs = Anything;

/// Runs an experiment on a machine that there cannot be.
pub fn run<A, T>(_: &A, machine: &SimulatedMachine) -> Result<T, Failure> {
    match machine.0 {}
}

/// Answers a sweep of nothing that is here.
pub fn sweep(_: &SweepArgs) -> Result<ExitCode, Failure> {
    let problem = format!("{REASON}; --native sweeps what this machine itself has");
    Err(Failure::Usage(problem))
}

/// Answers a command that this build does not have.
pub fn refuse(_: &Anything) -> Result<ExitCode, Failure> {
    Err(Failure::Usage(REASON.to_owned()))
}
