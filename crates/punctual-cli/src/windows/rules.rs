//! `punctual windows rules`: the simulated machines, their rules, and their settings.

use crate::flags::OUTPUT;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_windows::catalogue::Catalogue;

/// Prints the rules.
pub fn print(args: &RulesArgs) -> Result<(), Failure> {
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
#[command(after_long_help = EXAMPLES)]
pub struct RulesArgs {
    /// Show for each rule what it decides and which published cases fix it
    #[arg(long, conflicts_with = "FormatArgs", help_heading = OUTPUT)]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES: &str = "\
Examples:
  punctual windows rules
  punctual windows rules --long
  punctual measure --on windows-7,default-interval=15.6ms,processors=2
  punctual compare --on windows-10-2004 --on windows-10-2004,due-time=coarse";
