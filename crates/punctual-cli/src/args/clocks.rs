//! The command line of `punctual clocks`.

use super::{FormatArgs, SimulatedMachine};
use crate::quantity::parse_duration;
use std::time::Duration;

/// Examine each clock that the system offers.
///
/// For each clock: its step (the least change between two readings, which is no finer than a reading
/// takes), what a reading costs, whether it goes back from one processor to another, and how fast it
/// goes by the clock that waits are measured with, which is the first.
///
/// Whether it goes back is tried with a thread on each processor, each comparing its reading with the
/// furthest that another one has published. That shows clocks that differ by more than handing a
/// reading over takes; the column 'sees' says how much that was.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ClocksArgs {
    /// How long to compare rates; ten times longer is ten times more exact
    /// [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Compare rates for half a second, and be done in two
    #[arg(long, conflicts_with = "duration")]
    pub quick: bool,

    /// Examine the clocks of a simulated machine, in virtual time: windows-xp, windows-7, windows-8,
    /// windows-10-1909, windows-10-2004 or windows-11
    ///
    /// Hardware and settings may follow: windows-10-2004,clock-error=20ppm. 'punctual machines' lists
    /// them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<SimulatedMachine>,

    /// The seed of a simulated machine's chance
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    pub seed: u64,

    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES: &str = "\
Examples:
  punctual clocks
  punctual clocks --duration 1min
  punctual clocks --quick --csv
  punctual clocks --on windows-xp
  punctual clocks --on windows-10-2004,clock-error=20ppm,processors=4 --json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong,
130 stopped by Ctrl-C.";
