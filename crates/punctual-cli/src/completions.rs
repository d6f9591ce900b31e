//! `punctual completions`: scripts with which shells complete the command line.

use crate::failure::Failure;
use crate::output;
use clap::Command;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a script that completes the command line in a shell.
///
/// Put it where the shell looks for such scripts, as the examples do.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell that is to complete
    #[arg(value_enum)]
    pub shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  punctual completions bash >~/.local/share/bash-completion/completions/punctual
  punctual completions zsh >~/.zfunc/_punctual
  punctual completions fish >~/.config/fish/completions/punctual.fish
  punctual completions powershell >>$PROFILE";

/// Runs the command.
pub fn completions(args: &CompletionsArgs, command: Command) -> Result<ExitCode, Failure> {
    let script = script(args.shell, command);
    output::own(&script)?;
    Ok(ExitCode::SUCCESS)
}

fn script(shell: Shell, mut command: Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "punctual", &mut script);
    script
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::Args;
    use clap::{CommandFactory, ValueEnum};

    #[test]
    fn every_shell_completes_every_command_that_is_shown() {
        for &shell in Shell::value_variants() {
            let script = String::from_utf8(script(shell, Args::command())).unwrap();
            for command in Args::command().get_subcommands() {
                let name = command.get_name();
                assert!(
                    command.is_hide_set() || script.contains(name),
                    "{shell}: {name}"
                );
            }
            assert!(script.contains("fail-if"), "{shell}");
        }
    }
}
