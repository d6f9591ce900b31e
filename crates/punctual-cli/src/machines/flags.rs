//! The command line of `punctual machines`.

use punctual_command::flags::FormatArgs;

/// List the simulated machines and the rules in which they differ.
///
/// A machine is a version of Windows: rules that say when its timed waits end, and settings such as
/// the number of processors. You can append either to its name: windows-7,processors=2, or
/// windows-7,lattice=powers-of-two, whose hardware ticks as that of XP does. The rules are fitted to
/// published measurements, which --long names.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MACHINES_EXAMPLES)]
pub struct MachinesArgs {
    /// Show for each rule what it decides and which published cases fix it
    #[arg(long, conflicts_with = "FormatArgs")]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const MACHINES_EXAMPLES: &str = "\
Examples:
  punctual machines
  punctual machines --long
  punctual sweep --on windows-7,default-interval=15.6ms,processors=2
  punctual sweep --on windows-10-2004 --on windows-10-2004,due-time=coarse";
