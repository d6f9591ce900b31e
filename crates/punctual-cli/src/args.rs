//! The command line: every flag, with the help that describes it.

mod explain;

pub use explain::ExplainArgs;

use crate::bound::Bound;
use crate::companion;
use crate::intervals::{self, Intervals};
use crate::quantity::{parse_duration, parse_period, parse_share};
use clap::{Parser, Subcommand, ValueEnum};
use punctual::margin::{Budget, LateRate};
use punctual::{Period, Priority};
use punctual_lab::Load;
use punctual_lab::evidence::RuleChange;
use punctual_lab::simulated::{Companion, SimulatedMachine};
use std::time::Duration;

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
    Sweep(SweepArgs),
    Machines(MachinesArgs),
    Evidence(EvidenceArgs),
    Explain(Box<ExplainArgs>),
    #[command(hide = true)]
    LoadChild(LoadChildArgs),
}

/// Measure how late each way of waiting wakes.
///
/// Waits for a deadline every period, many times, with each method. The methods take turns of
/// 50 ms, so that whatever the machine does to one it does to all. Takes about 15 seconds unless
/// told otherwise; Ctrl-C shows what was measured so far.
///
/// Lateness is shown per wake, and per deadline with every deadline counted that passed while the
/// thread was still waiting for an earlier one. The two differ where a machine stalls.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
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

    /// A method to measure; may be given several times [default: all of them]
    ///
    /// Linux: std-sleep, nanosleep, clock-nanosleep, poll, epoll-pwait2, futex, futex-waitv,
    /// condvar, timerfd, punctual-coarse, punctual, punctual-exact, spin. Simulated Windows: sleep,
    /// wait-object, nt-delay, waitable, waitable-abs, waitable-cycle, high-res, high-res-abs,
    /// high-res-cycle, timer-queue, time-set-event, and the last four.
    #[arg(long, value_name = "METHOD")]
    pub method: Vec<String>,

    /// What to keep the machine busy with meanwhile: none, cpu, cpu:N, switch, memory, timers, or
    /// command:'SHELL COMMAND'
    ///
    /// cpu spins on every processor, or on N of them; switch changes threads as fast as it can;
    /// memory streams through more than the caches hold; timers makes hundreds of short sleeps;
    /// command runs a command of yours. Loads are processes of their own and end with this one.
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
    /// Hardware and settings may follow: windows-10-2004,default-interval=15.6ms,processors=2.
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<SimulatedMachine>,

    /// Who else is on the machine: requester=2ms (another process that asks for an interval),
    /// driver=1ms, or sleepers=20 (other programs' threads); may be given several times
    #[arg(long, value_name = "WHO", value_parser = companion::parse)]
    pub with: Vec<Companion>,

    /// Measure each method a second time while this process itself asks for a timer interval
    #[arg(long, value_name = "INTERVAL", value_parser = companion::parse_interval, requires = "on")]
    pub request: Option<Duration>,

    /// The seed of a simulated machine's chance
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    pub seed: u64,

    /// Print the recording as JSON instead of tables
    #[arg(long)]
    pub json: bool,

    /// Exit with status 3 if a bound is broken: 'p99>200us', or for one method
    /// 'punctual.p99>5us'; may be given several times
    ///
    /// Statistics: p50, p90, p99, p99.9, max and mean (lateness per deadline), early, missed
    /// (how many), and processor (a share, such as 'spin.processor>99%').
    #[arg(long, value_name = "BOUND")]
    pub fail_if: Vec<Bound>,
}

const EXAMPLES: &str = "\
Examples:
  punctual measure
  punctual measure --period 60Hz --duration 1min --method punctual
  punctual measure --load cpu --priority high
  punctual measure --method punctual --late-rate 0.1% --budget 20%
  punctual measure --on windows-10-2004 --with requester=1ms
  punctual measure --json --fail-if 'punctual.p99>50us' >recording.json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong,
3 a bound was broken, 130 stopped by Ctrl-C.";

/// Repeat "The Great Rule Change" on simulated machines.
///
/// Another process asks for an interval between timer interrupts: 1 ms, 2 ms, and so on. This one
/// asks for nothing and measures what it gets: the interval in force, the step of timeGetTime, and
/// how long Sleep(1) takes, the way the article's own program does. Up to Windows 10 1909 everybody
/// gets what somebody asked for; from 2004 on, only who asked. Everything is simulated, in virtual
/// time, and takes less than a second.
///
/// One machine is shown in full, several side by side. Values that no publication states are
/// marked: they are what the simulation's rules predict.
#[derive(Debug, clap::Args)]
#[command(after_long_help = SWEEP_EXAMPLES)]
pub struct SweepArgs {
    /// A simulated machine; may be given several times [default: all that 'punctual machines'
    /// lists]
    ///
    /// Hardware and settings may follow: windows-10-2004,default-interval=15.6ms,processors=2.
    #[arg(long, value_name = "MACHINE")]
    pub on: Vec<SimulatedMachine>,

    /// What the other process asks for: 2ms, a list 1ms,2ms, or a range 1ms..15ms in steps of
    /// 1 ms; may be given several times [default: 1ms..15ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = intervals::parse)]
    pub interval: Vec<Intervals>,

    /// Who else is on the machines: sleepers=20 (other programs' threads), driver=1ms or
    /// requester=2ms (who ask for an interval, too); may be given several times
    #[arg(long, value_name = "WHO", value_parser = companion::parse)]
    pub with: Vec<Companion>,

    /// The seed of all chance: the same seed gives the same output
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Print what was measured as JSON instead of a table and a curve
    #[arg(long)]
    pub json: bool,
}

const SWEEP_EXAMPLES: &str = "\
Examples:
  punctual sweep
  punctual sweep --on windows-10-1909 --on windows-10-2004
  punctual sweep --on windows-10-2004 --with sleepers=20
  punctual sweep --on windows-7 --on windows-7,default-interval=15.6ms
  punctual sweep --on windows-11 --interval 0.5ms,1ms..4ms --json";

/// List the simulated machines and the rules in which they differ.
///
/// A machine is a version of Windows with the rules by which it ends timed waits, and hardware and
/// settings, which can be changed behind its name. The rules are fitted to published measurements;
/// --long says to which.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MACHINES_EXAMPLES)]
pub struct MachinesArgs {
    /// Say of each rule what it decides and which published cases fix it
    #[arg(long)]
    pub long: bool,

    /// Print the list as JSON instead of tables
    #[arg(long, conflicts_with = "long")]
    pub json: bool,
}

const MACHINES_EXAMPLES: &str = "\
Examples:
  punctual machines
  punctual machines --long
  punctual sweep --on windows-7,default-interval=15.6ms,processors=2";

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

/// Replay published measurements of Windows on simulated machines.
///
/// Shows what others have measured on Windows XP to 11 beside what the same programs get on simulated
/// machines, case by case. The rules by which those machines end waits were fitted to these numbers:
/// where a number and a rule disagree, the rule is wrong, and the case stays in the table, failing.
///
/// Change a rule to see which numbers break. Takes a few seconds; the same every time.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EVIDENCE_EXAMPLES)]
pub struct EvidenceArgs {
    /// Replay with a rule changed on every version, as in due-time=coarse; may be given several
    /// times
    ///
    /// A name or value that does not exist is answered with those that do.
    #[arg(long, value_name = "RULE=VALUE")]
    pub rule: Vec<RuleChange>,

    /// A case to replay, by its id; may be given several times [default: all of them]
    #[arg(long, value_name = "ID")]
    pub case: Vec<String>,

    /// Only the cases of one source: DOC, GRC, SIL, SVI or VD
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,

    /// Print every statement of every case as JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

const EVIDENCE_EXAMPLES: &str = "\
Examples:
  punctual evidence
  punctual evidence --source VD
  punctual evidence --rule due-time=coarse
  punctual evidence --case grc-2004-8 --rule request-reach=machine --json

Exit status: 0 nothing fails but what is expected to, 1 the run failed,
2 the command line is wrong, 3 a published number does not come out.";

/// What a child process that is part of a load is told.
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
