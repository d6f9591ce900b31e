//! The flags of `punctual explain`.

use super::{PriorityArg, parse_count};
use crate::quantity::{parse_duration, parse_period};
use punctual::Period;
use punctual_lab::Load;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Explain why wake-ups were late.
///
/// Runs a periodic loop, or follows a program, while the kernel records who had which processor.
/// Then each wake-up's lateness is cut into parts that add up to it: the timer's slack, an interrupt
/// that came late, other threads and interrupts that had the processor, by name.
///
/// Reading the kernel's trace (tracefs) needs root. Without, a loop's lateness is still split into
/// timer and queue.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExplainArgs {
    /// The loop's time between deadlines: a duration such as 1ms, or a frequency such as 60Hz
    #[arg(long, visible_alias = "rate", value_name = "PERIOD", default_value = "1ms", value_parser = parse_period)]
    pub period: Period,

    /// How many times the loop waits [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "duration", value_parser = parse_count)]
    pub count: Option<u64>,

    /// How long to look: at the loop, at a process [default: 10s], or at a command, which is ended
    /// then [default: until it ends]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// How the loop waits: one of the methods of 'punctual measure'
    #[arg(long, value_name = "METHOD", default_value = "std-sleep")]
    pub method: String,

    /// What to keep the machine busy with meanwhile, as for 'punctual measure'
    #[arg(long, value_name = "LOAD", default_value = "none")]
    pub load: Load,

    /// The priority of the loop's thread; above normal needs a privilege
    #[arg(long, value_enum, default_value_t = PriorityArg::Normal)]
    pub priority: PriorityArg,

    /// Keep the loop's thread on one processor; it is never pinned unless asked
    #[arg(long, value_name = "PROCESSOR")]
    pub pin: Option<usize>,

    /// Explain the timed waits of the process of this number instead of a loop of our own
    #[arg(long, value_name = "PROCESS", conflicts_with_all = OF_THE_LOOP)]
    pub pid: Option<u32>,

    /// Explain a recording instead of running anything
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_A_RUN)]
    pub from: Option<PathBuf>,

    /// Write the kernel's trace into a file, to be explained again later or elsewhere
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub save: Option<PathBuf>,

    /// Print every wake-up with its segments as JSON instead of tables
    #[arg(long)]
    pub json: bool,

    /// A command to run and to explain, with all that it starts
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = OF_THE_LOOP, conflicts_with = "pid")]
    pub command: Vec<OsString>,
}

/// Flags that say how our own loop waits.
const OF_THE_LOOP: [&str; 6] = ["period", "count", "method", "load", "priority", "pin"];
/// Flags that say what to run.
const OF_A_RUN: [&str; 9] = [
    "period", "count", "method", "load", "priority", "pin", "duration", "pid", "command",
];

const EXAMPLES: &str = "\
Examples:
  sudo punctual explain
  sudo punctual explain --load cpu --method timerfd --pin 0
  sudo punctual explain -- mpv film.mkv
  sudo punctual explain --pid 1234 --duration 30s --save late.trace
  punctual explain --from late.trace --json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong, 130 stopped
by Ctrl-C.";
