//! `punctual resolution` and the commands below it.

use crate::flags::{OnArgs, parse_interval};
use clap::Subcommand;
use punctual_lab::conditions::Companion;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Show the timer interval, request another, or list its requesters.
///
/// On Windows, waits end at timer interrupts. The time between two interrupts is the timer interval,
/// which Windows calls resolution: 15.625 ms on most machines, shorter when a program requests less.
/// It can change many times a second, so this command watches it for one second.
///
/// On Linux each timer has its own interrupt. There the command shows the clock sources, the tick
/// rate, whether timers are high-resolution, and the timer slack, which lets the kernel end waits
/// later.
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
  punctual resolution who --from energy-report.html";

#[derive(Debug, Subcommand)]
pub enum ResolutionAction {
    Hold(HoldArgs),
    Who(WhoArgs),
}

/// The machine to ask.
#[derive(Debug, clap::Args)]
pub struct MachineArgs {
    #[command(flatten)]
    pub on: OnArgs,

    /// What else runs on it: requester=2ms (another process that requests an interval), driver=1ms,
    /// or sleepers=20 (threads of another program); may be given several times
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "WHO", requires = "on")]
    pub with: Vec<Companion>,
}

#[derive(Debug, clap::Args)]
pub struct NowArgs {
    #[command(flatten)]
    pub machine: MachineArgs,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Request a timer interval, until Ctrl-C or while a command runs.
///
/// Prints the interval that is then in force, and warns if it is longer than requested. Since
/// Windows 10 version 2004, a request shortens the waits of only the process that makes it: this
/// one. On Windows 11 the registry value GlobalTimerResolutionRequests makes a request count for
/// all processes again.
///
/// The exit status is that of the command; without a command it is 0.
#[derive(Debug, clap::Args)]
pub struct HoldArgs {
    /// The interval to request, such as 0.5ms
    #[arg(value_name = "INTERVAL", value_parser = parse_interval)]
    pub interval: Duration,

    /// The command to run meanwhile, with its arguments
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<OsString>,
}

/// List the processes and drivers that have requested a timer interval.
///
/// The list comes from the report of 'powercfg /energy', which needs an administrator. It is run for
/// the shortest time that it allows. --from reads a report from another machine instead.
#[derive(Debug, clap::Args)]
pub struct WhoArgs {
    /// A report of 'powercfg /energy': HTML, or XML from its flag /xml
    #[arg(long, value_name = "FILE", conflicts_with = "on")]
    pub from: Option<PathBuf>,

    #[command(flatten)]
    pub machine: MachineArgs,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}
