//! What stands where simulated machines would, in a build without them: the words are known, and
//! answered with the reason.

use crate::failure::Failure;
use std::process::ExitCode;

/// Why there is none.
pub const REASON: &str = "this build of Punctual has no simulated machines; build it with its feature \
                          `sim`, which is on unless it is turned off";

/// Whatever follows a command that this build does not have.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct Anything {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Answers whatever would run on a machine that there cannot be.
pub fn run<A, T>(_: A) -> Result<T, Failure> {
    Err(Failure::Usage(REASON.to_owned()))
}

/// Answers a sweep of nothing that is here.
pub fn sweep<A>(_: A) -> Result<ExitCode, Failure> {
    let problem = format!("{REASON}; --native sweeps what this machine itself has");
    Err(Failure::Usage(problem))
}
