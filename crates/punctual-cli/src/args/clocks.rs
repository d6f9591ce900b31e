//! The command line of `punctual clocks`.

use super::{FormatArgs, SimulatedMachine};
use crate::quantity::parse_duration;
use std::time::Duration;

/// Examine each clock that the system offers.
///
/// The table shows for each clock: its step (the smallest change between two readings, which cannot
/// be finer than one reading takes), the cost of a reading, whether the clock goes backward between
/// processors, and its rate against the first clock, the one that waits are measured with.
///
/// To find backward steps, one thread per processor compares its own readings with the latest one
/// that another thread has published. This finds differences that are longer than passing a reading
/// to another processor takes. The column 'sees' shows that time.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ClocksArgs {
    /// How long to compare the rates; ten times as long is ten times as exact [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Compare the rates for half a second, and finish within two
    #[arg(long, conflicts_with = "duration")]
    pub quick: bool,

    /// Examine the clocks of a simulated machine, in virtual time: windows-xp, windows-7, windows-8,
    /// windows-10-1909, windows-10-2004 or windows-11
    ///
    /// Settings may follow the name: windows-10-2004,clock-error=20ppm. 'punctual machines' lists
    /// them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<SimulatedMachine>,

    /// The seed of a simulated machine's random numbers
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
