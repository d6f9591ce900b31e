//! Replaces simulated machines in a build without them: their flags and commands are known, and
//! give an error with the reason.

use crate::failure::Failure;
use std::process::ExitCode;

/// The error message.
pub const REASON: &str = "this build of Punctual has no simulated machines; build it with the feature \
                          `sim`, which is on by default";

/// Returns the error for everything that would run on a simulated machine.
pub fn run<A, T>(_: A) -> Result<T, Failure> {
    Err(Failure::Usage(REASON.to_owned()))
}

/// Returns the error for a sweep of simulated machines.
pub fn sweep<A>(_: A) -> Result<ExitCode, Failure> {
    let problem = format!("{REASON}; --native sweeps this machine");
    Err(Failure::Usage(problem))
}
