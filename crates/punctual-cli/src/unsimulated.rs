//! Replaces simulated machines in a build without them: their flags and commands are known, and
//! give an error with the reason.

use punctual_command::failure::Failure;

/// The arguments of a command that needs simulated machines.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct Anything {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// The error message.
pub const REASON: &str = "this build of Punctual has no simulated machines; build it with the feature \
                          `sim`, which is on by default";

/// Returns the error for everything that would run on a simulated machine.
pub fn run<A, T>(_: A) -> Result<T, Failure> {
    Err(Failure::Usage(REASON.to_owned()))
}
