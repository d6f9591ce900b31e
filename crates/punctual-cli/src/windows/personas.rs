//! `punctual windows personas`: which calls of Windows the waits of languages become.

use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_lab::personas::{Persona, named, personas};
use punctual_windows::personas::Personas;

/// Prints the list, or what is known of some.
pub fn print(args: &PersonasArgs) -> Result<(), Failure> {
    let is_long = !args.name.is_empty();
    let personas = match is_long {
        true => args.name.clone(),
        false => personas(),
    };
    crate::show::in_format(args.format, &Personas { personas, is_long })
}

/// List the waits of languages, and the calls of Windows that they become.
///
/// Find your language's wait here, such as python-3.11 for time.sleep since Python 3.11. By this name
/// you can measure it on any simulated Windows, as a method of 'measure', and 'run' makes a program wait
/// as it would. 'personas NAME' says which call of Windows it makes, how it rounds, what it does if
/// Windows wakes it early, and which timer interval it requests.
///
/// Rows marked ✓ were read in the runtime's source. Rows marked ~ are believed: release notes, a
/// thread, or another file of the project say so.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct PersonasArgs {
    /// A wait to show with all that is known about it [default: a list of all]
    #[arg(value_name = "NAME", value_parser = named)]
    pub name: Vec<Persona>,

    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES: &str = "\
Examples:
  punctual windows personas
  punctual windows personas python-3.10 python-3.11
  punctual measure --for 1ms --method python-3.10 --on windows-10-2004
  punctual measure --method java-thread-sleep --on windows-11
  punctual measure --beat --method go-ticker --on windows-10-2004";
