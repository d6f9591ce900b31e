//! The command line of `punctual personas`.

use punctual_command::flags::FormatArgs;
use punctual_lab::personas::{Persona, named};

/// List the waits of languages and their runtimes, and the calls of Windows that they become.
///
/// A persona is one entry of a runtime in the versions that do the same: the call that it makes, how
/// it rounds a length, what it does if Windows ends the wait early, and what it requests of the timer
/// interval. Simulated machines run them by their names: as calls of 'sleep', methods of 'measure' and
/// ways of 'pace'.
///
/// Rows marked ✓ were read in the runtime's source. Rows marked ~ are believed: release notes, a
/// thread, or another file of the project say so.
#[derive(Debug, clap::Args)]
#[command(after_long_help = PERSONAS_EXAMPLES)]
pub struct PersonasArgs {
    /// A persona to show with all that is known about it [default: a list of all]
    #[arg(value_name = "NAME", value_parser = named)]
    pub name: Vec<Persona>,

    #[command(flatten)]
    pub format: FormatArgs,
}

const PERSONAS_EXAMPLES: &str = "\
Examples:
  punctual personas
  punctual personas python-3.10 python-3.11
  punctual sleep 1ms --call python-3.10 --on windows-10-2004
  punctual measure --method java-thread-sleep --on windows-11
  punctual pace --way go-ticker --on windows-10-2004";
