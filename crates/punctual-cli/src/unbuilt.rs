//! Replaces commands that this build does not have: they are known, and say how to build them.

use crate::failure::Failure;

/// The arguments of a command that this build does not have.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct Anything {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// The error of a command that is a feature which is off by default and has its name.
#[cfg(not(all(feature = "watch", feature = "fleet")))]
pub fn lacks(command: &str) -> Failure {
    Failure::Usage(format!(
        "this build of Punctual has no '{command}'; build it with the feature `{command}`: \
         cargo install --path crates/punctual-cli --features {command}"
    ))
}
