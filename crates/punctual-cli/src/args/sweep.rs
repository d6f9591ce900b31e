//! The command line of `punctual sweep`.

use super::{FormatArgs, SimulatedMachine};
use crate::companion;
use crate::intervals::{self, Intervals};
use crate::slacks::{self, Slacks};
use punctual_lab::Companion;
use punctual_lab::sweep::By;

/// Measure Sleep(1) while another process requests timer intervals, on simulated machines.
///
/// This repeats the experiment of the article "The Great Rule Change". Another process requests a
/// timer interval: 1 ms, 2 ms, and so on. This process requests none. It measures the interval in
/// force, the step of timeGetTime, and the duration of Sleep(1), as the article's program does. Up
/// to Windows 10 1909 a request shortens everybody's sleeps. Since 2004 it shortens only those of
/// the process that makes it. Everything is simulated, in virtual time, and takes less than a
/// second.
///
/// One machine is shown in full, several are shown side by side. A mark shows the values that no
/// publication states, and that only the simulation's rules predict.
///
/// With --native the command sweeps this machine: on Linux the timer slack of the sleeping thread,
/// which lets the kernel end its waits later, and on Windows the interval.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SweepArgs {
    /// A simulated machine; may be given several times [default: all that 'punctual machines'
    /// lists]
    ///
    /// Settings may follow the name: windows-10-2004,processors=2,clock-error=20ppm,noise=5us/1ms.
    /// 'punctual machines' lists them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Vec<SimulatedMachine>,

    /// Sweep this machine: timer slack on Linux, in about five seconds, or the interval on Windows,
    /// in half a minute
    #[arg(long, conflicts_with_all = ["on", "with", "seed"])]
    pub native: bool,

    /// Take ten seconds at most: fewer sleeps, and on Windows fewer intervals
    #[arg(long, requires = "native", conflicts_with = "interval")]
    pub quick: bool,

    /// The timer slacks to try: 50us, a list 1ns,50us, or a range 1us..1ms in steps of 1, 2 and 5;
    /// may be given several times [default: 1ns,10us..1ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = slacks::parse, requires = "native")]
    pub slack: Vec<Slacks>,

    /// Who requests the interval: another process, the process that sleeps, or its parent
    #[arg(long, value_enum, value_name = "WHO", default_value_t = ByArg::Other)]
    pub by: ByArg,

    /// The intervals to request: 2ms, a list 1ms,2ms, or a range 1ms..15ms in steps of 1 ms; may be
    /// given several times [default: 1ms..15ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = intervals::parse)]
    pub interval: Vec<Intervals>,

    /// What else runs on the machines: sleepers=20 (threads of another program), driver=1ms or
    /// requester=2ms (a driver or a process that requests an interval too); may be given several
    /// times
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "WHO", value_parser = companion::parse)]
    pub with: Vec<Companion>,

    /// The seed of all random numbers; the same seed gives the same output
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub format: FormatArgs,
}

/// Who requests the interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ByArg {
    /// Another process
    Other,
    /// The process that sleeps
    #[value(name = "self")]
    Own,
    /// The process that started it; on no version does its request reach its children
    Parent,
}

impl From<ByArg> for By {
    fn from(by: ByArg) -> Self {
        match by {
            ByArg::Other => Self::Other,
            ByArg::Own => Self::Own,
            ByArg::Parent => Self::Parent,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  punctual sweep
  punctual sweep --on windows-10-1909 --on windows-10-2004
  punctual sweep --on windows-10-2004 --by self
  punctual sweep --on windows-10-2004 --with sleepers=20
  punctual sweep --on windows-7 --on windows-7,default-interval=15.6ms
  punctual sweep --on windows-11 --interval 0.5ms,1ms..4ms --json
  punctual sweep --markdown
  punctual sweep --native --slack 1ns,50us,100us..1ms
  punctual sweep --native --by parent --interval 1ms,2ms

Exit status: 0 done, 1 the run failed, 2 the command line is wrong,
130 stopped by Ctrl-C.";
