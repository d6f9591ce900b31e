//! `punctual resolution` and the commands below it.

use super::{FormatArgs, SimulatedMachine, companion, parse_count};
use crate::intervals::{self, Range};
use clap::Subcommand;
use punctual_lab::Companion;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Show the timer interval; hold another; find the best; list who asks.
///
/// On Windows, waits end with timer interrupts, whose spacing is the timer interval, or resolution:
/// 15.625 ms on most machines while nobody asks for less. It is looked at for a second, because it
/// may change many times in one.
///
/// On Linux each timer has an interrupt of its own. Shown instead: the clock sources, the tick rate,
/// whether timers are high-resolution, and timer slack, by which the kernel may delay them.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub struct ResolutionArgs {
    #[command(subcommand)]
    pub action: Option<ResolutionAction>,

    #[command(flatten)]
    pub now: NowArgs,
}

const EXAMPLES: &str = "\
Examples:
  punctual resolution
  punctual resolution --on windows-10-2004 --with requester=1ms
  punctual resolution hold 0.5ms
  punctual resolution hold 1ms -- game.exe --fullscreen
  punctual resolution sweep --on windows-11
  punctual resolution who --from energy-report.html";

#[derive(Debug, Subcommand)]
pub enum ResolutionAction {
    Hold(HoldArgs),
    Sweep(ResolutionSweepArgs),
    Who(WhoArgs),
}

/// On which machine.
#[derive(Debug, clap::Args)]
pub struct MachineArgs {
    /// A simulated machine instead of this one: windows-xp, windows-7, windows-8, windows-10-1909,
    /// windows-10-2004 or windows-11
    ///
    /// Hardware and settings may follow: windows-10-2004,default-interval=15.6ms,processors=2.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<SimulatedMachine>,

    /// Who else is on it: requester=2ms (another process that asks for an interval), driver=1ms, or
    /// sleepers=20 (other programs' threads); may be given several times
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "WHO", value_parser = companion::parse, requires = "on")]
    pub with: Vec<Companion>,

    /// The seed of its chance
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    pub seed: u64,
}

#[derive(Debug, clap::Args)]
pub struct NowArgs {
    #[command(flatten)]
    pub machine: MachineArgs,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Hold a request for a timer interval, until Ctrl-C or while a command runs.
///
/// Says what is in force then, and warns if that is more than was asked for. From Windows 10
/// version 2004 on, a request makes waits shorter only in the process that holds it: this one. On
/// Windows 11 the registry value GlobalTimerResolutionRequests makes it count for all again.
///
/// Held until Ctrl-C, the exit status is 0; with a command it is the command's.
#[derive(Debug, clap::Args)]
pub struct HoldArgs {
    /// What to ask for, such as 0.5ms
    #[arg(value_name = "INTERVAL", value_parser = intervals::parse_one)]
    pub interval: Duration,

    /// What to run meanwhile, with its arguments
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<OsString>,
}

/// Measure Sleep(1) under each of many requests, and recommend one.
///
/// The least interval is not always the best: on some machines, asking for 0.507 ms makes Sleep(1)
/// shorter than asking for 0.500 ms. Takes about a minute unless told otherwise; Ctrl-C shows what
/// was measured so far.
#[derive(Debug, clap::Args)]
pub struct ResolutionSweepArgs {
    /// What to ask for, from least to greatest
    #[arg(value_name = "RANGE", default_value = "0.5ms..1ms", value_parser = intervals::parse_range)]
    pub range: Range,

    /// From one request to the next [default: 0.002ms]
    #[arg(long, value_name = "TIME", value_parser = intervals::parse_one)]
    pub step: Option<Duration>,

    /// Try a fifth of the requests, in steps of 0.01 ms: ten seconds instead of a minute
    #[arg(long, conflicts_with = "step")]
    pub quick: bool,

    /// How often to sleep under each request
    #[arg(long, value_name = "N", default_value = "200", value_parser = parse_count)]
    pub count: u64,

    #[command(flatten)]
    pub machine: MachineArgs,

    #[command(flatten)]
    pub format: FormatArgs,
}

/// List who has asked for a timer interval.
///
/// Windows tells in the report of 'powercfg /energy', which takes an administrator and is run for
/// as short as it can be; or give a report that was made elsewhere.
#[derive(Debug, clap::Args)]
pub struct WhoArgs {
    /// A report that 'powercfg /energy' has written: HTML, or XML with its flag /xml
    #[arg(long, value_name = "FILE", conflicts_with = "on")]
    pub from: Option<PathBuf>,

    #[command(flatten)]
    pub machine: MachineArgs,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}
