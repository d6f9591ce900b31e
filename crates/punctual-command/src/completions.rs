//! Scripts with which shells complete a command line.

use crate::failure::Failure;
use crate::output;
use clap::Command;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a script that completes the command line in a shell.
///
/// Put it where the shell looks for such scripts, as the examples do.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell that is to complete
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints the script for a command.
pub fn print(args: &CompletionsArgs, command: Command) -> Result<ExitCode, Failure> {
    output::own(&script(args.shell, command))?;
    Ok(ExitCode::SUCCESS)
}

/// The script for a command.
pub fn script(shell: Shell, mut command: Command) -> Vec<u8> {
    let (name, mut script) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(shell, &mut command, name, &mut script);
    script
}
