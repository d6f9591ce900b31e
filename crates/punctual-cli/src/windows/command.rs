//! What `punctual windows` is asked: its table of languages, or what it shows instead.

use super::languages::{LanguagesArgs, languages};
use crate::flags::OUTPUT;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_command::stop::Stop;
use punctual_lab::personas::{Persona, named, personas};
use punctual_windows::catalogue::Catalogue;
use punctual_windows::personas::Personas;
use std::process::ExitCode;

/// Runs the command.
pub fn windows(args: &WindowsArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match &args.instead {
        None => return languages(&args.languages, stop),
        Some(Instead::Rules(args)) => print_rules(args)?,
        Some(Instead::Personas(args)) => print_personas(args)?,
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

/// Prints the list, or what is known of some.
fn print_personas(args: &PersonasArgs) -> Result<(), Failure> {
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
#[command(after_long_help = EXAMPLES_OF_PERSONAS)]
pub struct PersonasArgs {
    /// A wait to show with all that is known about it [default: a list of all]
    #[arg(value_name = "NAME", value_parser = named)]
    pub name: Vec<Persona>,

    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES_OF_PERSONAS: &str = "\
Examples:
  punctual windows personas
  punctual windows personas python-3.10 python-3.11
  punctual measure --for 1ms --method python-3.10 --on windows-10-2004
  punctual measure --method java-thread-sleep --on windows-11
  punctual measure --beat --method go-ticker --on windows-10-2004";

/// Prints the rules.
fn print_rules(args: &RulesArgs) -> Result<(), Failure> {
    let catalogue = Catalogue {
        is_long: args.long,
        ..Catalogue::collect()
    };
    crate::show::in_format(args.format, &catalogue)
}

/// List the machines that can be simulated, and the rules in which they differ.
///
/// A machine is a version of Windows: rules that say when its timed waits end, and settings such as
/// the number of processors. You can append either to its name: windows-7,processors=2, or
/// windows-7,lattice=powers-of-two, whose hardware ticks as that of XP does. The rules are fitted to
/// published measurements, which --long names.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES_OF_RULES)]
pub struct RulesArgs {
    /// Show for each rule what it decides and which published cases fix it
    #[arg(long, conflicts_with = "FormatArgs", help_heading = OUTPUT)]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES_OF_RULES: &str = "\
Examples:
  punctual windows rules
  punctual windows rules --long
  punctual measure --on windows-7,default-interval=15.6ms,processors=2
  punctual compare --on windows-10-2004 --on windows-10-2004,due-time=coarse";
