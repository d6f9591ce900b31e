//! What `punctual windows` is asked: its table of languages, or what it shows instead.

use super::languages::{LanguagesArgs, languages};
use super::personas::{self, PersonasArgs};
use super::rules::{self, RulesArgs};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use std::process::ExitCode;

/// Runs the command.
pub fn windows(args: &WindowsArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match &args.instead {
        None => return languages(&args.languages, stop),
        Some(Instead::Rules(args)) => rules::print(args)?,
        Some(Instead::Personas(args)) => personas::print(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Show what a sleep takes in each language, on each Windows; and by which rules these wait.
///
/// A program asks for a wait of one millisecond. How long it takes depends on the language: on the
/// Windows call that its runtime makes, on how it rounds, on what it does when woken early, and on
/// the timer interval that it requests. And it depends on the version of Windows. Everything is
/// simulated, in virtual time, and takes a few seconds.
///
/// Each cell is the mean in milliseconds, the standard deviation if it shows, and a sign that says
/// how far the figure can be trusted.
///
/// 'rules' lists the machines that can be simulated, and 'personas' the waits of languages.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub struct WindowsArgs {
    #[command(flatten)]
    pub languages: LanguagesArgs,

    #[command(subcommand)]
    instead: Option<Instead>,
}

/// What is shown instead of the table.
#[derive(Debug, clap::Subcommand)]
enum Instead {
    Rules(RulesArgs),
    Personas(PersonasArgs),
}

const EXAMPLES: &str = "\
Examples:
  punctual windows
  punctual windows 5ms --with requester=1ms
  punctual windows 16ms --at random --on windows-10-2004 --on windows-11
  punctual windows --persona python-3.10,python-3.11
  punctual windows --json >languages.json
  punctual report languages.svg --figure languages --from languages.json
  punctual windows rules --long
  punctual windows personas python-3.11

Exit status: 0 done, 1 the run failed, 2 the command line is wrong;
stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";
