//! The flags of `punctual explain`.

use super::{FormatArgs, PriorityArg, parse_count};
use crate::companion;
use crate::quantity::{parse_duration, parse_period};
#[cfg(not(feature = "sim"))]
use crate::unsimulated::SimulatedMachine;
use punctual::Period;
#[cfg(feature = "sim")]
use punctual_lab::simulated::SimulatedMachine;
use punctual_lab::{Companion, Load};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Explain why wake-ups were late.
///
/// Runs a periodic loop, or follows a program, while the kernel records which thread ran on each
/// processor. Then it splits the lateness of each wake-up into parts that add up to it: timer
/// slack, a late interrupt, and the time during which other threads and interrupts, each named, had
/// the processor.
///
/// Reading the kernel's trace (tracefs) needs root. Without root, the lateness of a loop is still
/// split into two parts: timer and queue.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExplainArgs {
    /// The loop's time between deadlines: a duration such as 1ms, or a frequency such as 60Hz
    /// [default: 1ms]
    ///
    /// With --from and a text of 'xperf -a dumper': the time between the thread's deadlines, if it
    /// waits periodically.
    #[arg(long, visible_alias = "rate", value_name = "PERIOD", value_parser = parse_period)]
    pub period: Option<Period>,

    /// How many times the loop waits [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "duration", value_parser = parse_count)]
    pub count: Option<u64>,

    /// How long to record: the loop, a process [default: 10s], or a command, which is then stopped
    /// [default: until it ends]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// How the loop waits: a method of 'punctual measure' [default: std-sleep; on a simulated
    /// machine sleep]
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,

    /// The load to run meanwhile, as for 'punctual measure'
    #[arg(long, value_name = "LOAD", default_value = "none")]
    pub load: Load,

    /// The priority of the loop's thread; above normal needs a privilege
    #[arg(long, value_enum, default_value_t = PriorityArg::Normal)]
    pub priority: PriorityArg,

    /// Keep the loop's thread on one processor
    #[arg(long, value_name = "PROCESSOR")]
    pub pin: Option<usize>,

    /// Explain the timed waits of the process with this id, instead of running a loop
    #[arg(long, value_name = "PROCESS", conflicts_with_all = OF_THE_LOOP)]
    pub pid: Option<u32>,

    /// Run the loop on a simulated machine, in virtual time, as 'punctual measure --on' does
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE", conflicts_with_all = OF_THIS_MACHINE)]
    pub on: Option<SimulatedMachine>,

    /// What else runs on the simulated machine: requester=2ms, driver=1ms, or sleepers=20; may be
    /// given several times
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "WHO", value_parser = companion::parse, requires = "on")]
    pub with: Vec<Companion>,

    /// Explain the loop while its own process asks for a timer interval
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "INTERVAL", value_parser = companion::parse_interval, requires = "on")]
    pub request: Option<Duration>,

    /// The seed of the simulated machine's random numbers
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    pub seed: u64,

    /// Explain a saved trace instead of running anything: one of --save, or the text that 'xperf -i
    /// trace.etl -a dumper' writes from a Windows trace
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_A_RUN)]
    pub from: Option<PathBuf>,

    /// Explain only this thread of the trace: its id or its name; in a Windows trace, the id or name
    /// of its process
    #[arg(long, value_name = "NAME", requires = "from")]
    pub thread: Option<String>,

    /// Save the kernel's trace to a file, to explain it again later or on another machine; on a
    /// simulated machine, in the format of xperf's dumper
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub save: Option<PathBuf>,

    /// Write a file for ui.perfetto.dev: deadlines, timers, when threads were ready and running, and
    /// which thread had each processor
    #[arg(long, value_name = "FILE")]
    pub perfetto: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,

    /// A command to run and to explain, with every process that it starts
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = OF_THE_LOOP, conflicts_with = "pid")]
    pub command: Vec<OsString>,
}

/// Flags that say how our own loop waits.
const OF_THE_LOOP: [&str; 6] = ["period", "count", "method", "load", "priority", "pin"];
/// Flags that say what to run.
const OF_A_RUN: [&str; 9] = [
    "count", "method", "load", "priority", "pin", "duration", "pid", "command", "on",
];
/// What a simulated machine has none of.
const OF_THIS_MACHINE: [&str; 2] = ["pid", "command"];

/// How often a loop turns unless told.
const DEFAULT_HERTZ: u64 = 1_000;

impl ExplainArgs {
    /// The time between a loop's deadlines.
    pub fn loop_period(&self) -> Period {
        let default = || Period::try_from_hertz(DEFAULT_HERTZ).expect("it is a frequency");
        self.period.unwrap_or_else(default)
    }

    /// How a loop waits.
    pub fn loop_method(&self) -> &str {
        let default = match self.on {
            Some(_) => "sleep",
            None => "std-sleep",
        };
        self.method.as_deref().unwrap_or(default)
    }
}

const EXAMPLES: &str = "\
Examples:
  sudo punctual explain
  sudo punctual explain --load cpu --method timerfd --pin 0
  sudo punctual explain -- mpv film.mkv
  sudo punctual explain --pid 1234 --duration 30s --save late.trace
  punctual explain --from late.trace --json
  punctual explain --on windows-10-2004 --with requester=1ms --save sleep.txt
  punctual explain --from sleep.txt --thread main --period 1ms

Exit status: 0 done, 1 the run failed, 2 the command line is wrong, 130 stopped
by Ctrl-C.";
