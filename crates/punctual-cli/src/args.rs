//! The command line: every flag, with the help that describes it.

mod clocks;
mod compare;
mod doctor;
mod format;
mod pace;
mod report;
mod resolution;
mod sweep;

pub use resolution::{
    HoldArgs, MachineArgs, NowArgs, ResolutionAction, ResolutionArgs, ResolutionSweepArgs, WhoArgs,
};
mod explain;

use crate::bound::Bound;
use crate::companion;
use crate::completions::CompletionsArgs;
use crate::conditions::Conditions;
use crate::manual::ManArgs;
use crate::quantity::{parse_duration, parse_period, parse_share};
use clap::{Parser, Subcommand, ValueEnum};
use punctual::margin::{Budget, LateRate};
use punctual::{Period, Priority};
#[cfg(feature = "sim")]
use punctual_lab::simulated::SimulatedMachine;
use punctual_lab::{Companion, Load};
use std::path::PathBuf;
use std::time::Duration;

pub use clocks::ClocksArgs;
pub use compare::CompareArgs;
pub use doctor::DoctorArgs;
pub use explain::ExplainArgs;
pub use format::FormatArgs;
pub use pace::PaceArgs;
pub use report::{FigureArg, ReportArgs};
#[cfg(feature = "sim")]
mod simulated;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;

#[cfg(not(feature = "sim"))]
use simulated::SimulatedMachine;
pub use simulated::{EvidenceArgs, MachinesArgs};
pub use sweep::{ByArg, SweepArgs};

/// How punctual is this machine?
///
/// Programs that wait for a time are woken late: by timer slack, by sleeping processors, by other
/// programs. Punctual measures by how much, with each way of waiting, its own among them.
#[derive(Debug, Parser)]
#[command(name = "punctual", version, max_term_width = 80)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Measure(Box<MeasureArgs>),
    Compare(CompareArgs),
    Pace(Box<PaceArgs>),
    Clocks(ClocksArgs),
    Sweep(SweepArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Machines(MachinesArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Evidence(EvidenceArgs),
    Resolution(Box<ResolutionArgs>),
    Explain(Box<ExplainArgs>),
    Report(ReportArgs),
    Doctor(DoctorArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    #[command(hide = true)]
    LoadChild(LoadChildArgs),
}

/// Measure how late each way of waiting wakes.
///
/// Waits for a deadline every period, many times, with each method. The methods take turns of
/// 50 ms, so that whatever the machine does to one it does to all. Takes about 20 seconds unless
/// told otherwise; Ctrl-C shows what was measured so far.
///
/// Lateness is shown per wake, and per deadline with every deadline counted that passed while the
/// thread was still waiting for an earlier one. The two differ where a machine stalls.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples())]
pub struct MeasureArgs {
    /// The time between deadlines: a duration such as 1ms, or a frequency such as 60Hz or
    /// 30000/1001Hz
    #[arg(long, value_name = "PERIOD", default_value = "1ms", value_parser = parse_period)]
    pub period: Period,

    /// How many times each method waits [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "duration", value_parser = parse_count)]
    pub count: Option<u64>,

    /// How long to measure in all, instead of a count
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Measure for ten seconds in all, whatever is measured
    #[arg(long, conflicts_with_all = ["count", "duration"])]
    pub quick: bool,

    /// A method to measure; may be given several times [default: all of them]
    ///
    /// Linux: std-sleep, nanosleep, clock-nanosleep, select, poll, epoll-wait, epoll-pwait2, futex,
    /// futex-waitv, condvar, timerfd, posix-timer, io-uring, punctual-coarse, punctual,
    /// punctual-exact, spin. macOS: std-sleep, nanosleep, mach-wait-until, kqueue, condvar, and the
    /// last four. Windows, simulated or not:
    /// sleep, wait-object, nt-delay, waitable, waitable-abs, waitable-cycle, high-res,
    /// high-res-abs, high-res-cycle, high-res-mmcss, timer-queue, pool-timer, time-set-event,
    /// set-timer, and the last four; also std-sleep and condvar where it is not simulated.
    #[arg(long, value_name = "METHOD")]
    pub method: Vec<String>,

    /// What to keep the machine busy with meanwhile: none, cpu, cpu:N, switch, memory, timers, or
    /// command:'SHELL COMMAND'
    ///
    /// cpu spins on every processor, or on N of them; switch changes threads as fast as it can;
    /// memory streams through more than the caches hold; timers makes hundreds of short sleeps;
    /// command runs a command of yours. Loads are processes of their own and end with this one.
    /// Simulated machines have all but memory and command.
    #[arg(long, value_name = "LOAD", default_value = "none")]
    pub load: Load,

    /// The priority of the thread that waits; above normal needs a privilege
    #[arg(long, value_enum, default_value_t = PriorityArg::Normal)]
    pub priority: PriorityArg,

    /// Keep the thread that waits on one processor
    #[arg(long, value_name = "PROCESSOR")]
    pub pin: Option<usize>,

    /// The share of waits that method 'punctual' may end late [default: 1%]
    #[arg(long, value_name = "SHARE", value_parser = parse_late_rate)]
    pub late_rate: Option<LateRate>,

    /// The share of time that method 'punctual' may spend spinning [default: 5%]
    #[arg(long, value_name = "SHARE", value_parser = parse_budget)]
    pub budget: Option<Budget>,

    /// Measure on a simulated machine, in virtual time: windows-xp, windows-7, windows-8,
    /// windows-10-1909, windows-10-2004 or windows-11
    ///
    /// Hardware and settings may follow: windows-10-2004,processors=2,clock-error=20ppm,noise=5us/1ms.
    /// 'punctual machines' lists them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<SimulatedMachine>,

    /// Who else is on the machine: sleepers=20 (other programs' threads, which sleep for 1 to 40
    /// ms), requester=2ms (another process that asks for a timer interval), or driver=1ms (a driver
    /// that does); may be given several times
    ///
    /// Sleepers can be had on every machine. On this one they are a process of their own, which
    /// ends with this one.
    #[arg(long, value_name = "WHO", value_parser = companion::parse)]
    pub with: Vec<Companion>,

    /// Measure each method a second time while this process itself asks for a timer interval
    /// (Windows, simulated or not)
    #[arg(long, value_name = "INTERVAL", value_parser = companion::parse_interval)]
    pub request: Option<Duration>,

    /// Measure each method a second time with the machine tuned (Linux): processors kept from
    /// sleeping deeply by /dev/cpu_dma_latency, and this program's memory locked
    ///
    /// Such a series has ! before its name. Nothing is held between its turns or afterwards. Where it
    /// is not permitted, nothing is measured, and the command that would permit it is said.
    #[arg(long)]
    pub tuned: bool,

    /// The seed of a simulated machine's chance
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    pub seed: u64,

    #[command(flatten)]
    pub format: FormatArgs,

    /// Also write lateness per deadline as HdrHistogram's percentile output; {method} in the name
    /// stands for the method, and must be there if there are several
    #[arg(long, value_name = "FILE")]
    pub hdr: Option<PathBuf>,

    /// Exit with status 3 if a bound is broken: 'p99>200us', or for one method
    /// 'punctual.p99>5us', named as in the table; may be given several times
    ///
    /// Statistics: p50, p90, p99, p99.9, max and mean (lateness per deadline), early, missed
    /// (how many), and processor (a share, such as 'spin.processor>99%').
    #[arg(long, value_name = "BOUND")]
    pub fail_if: Vec<Bound>,
}

impl MeasureArgs {
    /// What the machine is to be like meanwhile.
    pub fn conditions(&self) -> Conditions<'_> {
        Conditions {
            load: &self.load,
            with: &self.with,
            priority: self.priority,
            pin: self.pin,
        }
    }
}

fn examples() -> String {
    let simulated = if cfg!(feature = "sim") {
        "  punctual measure --on windows-10-2004 --with requester=1ms\n"
    } else {
        ""
    };
    format!(
        "\
Examples:
  punctual measure
  punctual measure --period 60Hz --duration 1min --method punctual
  punctual measure --load cpu --priority high
  sudo punctual measure --tuned
  punctual measure --method punctual --late-rate 0.1% --budget 20%
{simulated}  punctual measure --json --fail-if 'punctual.p99>50us' >recording.json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong,
3 a bound was broken, 130 stopped by Ctrl-C."
    )
}

/// The priority of the thread that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PriorityArg {
    /// As it is
    Normal,
    /// Ahead of ordinary threads (Linux: nice -11)
    High,
    /// Ahead of every ordinary thread, always (Linux: SCHED_FIFO)
    Realtime,
}

impl PriorityArg {
    /// The priority to raise the thread to, if it is to be raised.
    pub fn raised(self) -> Option<Priority> {
        match self {
            Self::Normal => None,
            Self::High => Some(Priority::High),
            Self::Realtime => Some(Priority::Realtime),
        }
    }

    /// The name it has on the command line and in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::High => "high",
            Self::Realtime => "realtime",
        }
    }
}

/// What a child process that is part of a load or a companion is told.
#[derive(Debug, clap::Args)]
pub struct LoadChildArgs {
    pub kind: String,
}

fn parse_count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(format!(
            "'{text}' is not a number of times; write 1 or more"
        )),
    }
}

fn parse_late_rate(text: &str) -> Result<LateRate, String> {
    LateRate::new(parse_share(text)?).map_err(|error| error.to_string())
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    Budget::new(parse_share(text)?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
