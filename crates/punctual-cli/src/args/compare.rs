//! The command line of `punctual compare`.

use super::{FormatArgs, SimulatedMachine, parse_count};
#[cfg(feature = "sim")]
use super::{MeasureArgs, PriorityArg};
use crate::companion;
use crate::quantity::parse_period;
use punctual::Period;
use punctual_lab::{Companion, Load};
use std::path::PathBuf;
use std::time::Duration;

/// Compare measurements, method by method: which differences mean something.
///
/// Takes recordings of 'punctual measure --json', or measures on simulated machines (--on); the first
/// is the baseline. Each statistic of each method is shown as a ratio to the baseline's, with the interval in which the true ratio
/// lies at 99 %, as far as the recordings' own variation tells (found by drawing them anew from
/// batches of consecutive turns). A change is what that interval keeps apart from 1, by 1 % at least;
/// anything else is no change. Lateness is per deadline, missed ones included.
///
/// Machines and questions that differ are named first. A recording cannot know a mood of the machine
/// that lasts longer than it does: before believing a small change, record both sides alternately.
#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// Recordings; the first is the baseline
    #[arg(
        value_name = "FILE",
        num_args = 2..,
        required_unless_present = "on",
        conflicts_with_all = ["on", "period", "count", "method", "load", "with", "request", "seed"]
    )]
    pub files: Vec<PathBuf>,

    /// Measure on this simulated machine instead of reading a file; given at least twice, the first
    /// is the baseline
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Vec<SimulatedMachine>,

    /// The time between deadlines on simulated machines, as for 'punctual measure' [default: 1ms]
    #[arg(long, value_name = "PERIOD", value_parser = parse_period, requires = "on")]
    pub period: Option<Period>,

    /// How many times each method waits there [default: 1000]
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "on")]
    pub count: Option<u64>,

    /// A method to measure there; may be given several times [default: all of them]
    #[arg(long, value_name = "METHOD", requires = "on")]
    pub method: Vec<String>,

    /// What keeps those machines busy: none, cpu, cpu:N, switch or timers
    #[arg(long, value_name = "LOAD", requires = "on")]
    pub load: Option<Load>,

    /// Who else is on them: sleepers=20, requester=2ms or driver=1ms; may be given several times
    #[arg(long, value_name = "WHO", value_parser = companion::parse, requires = "on")]
    pub with: Vec<Companion>,

    /// Measure each method there a second time under a request of its own
    #[arg(long, value_name = "INTERVAL", value_parser = companion::parse_interval, requires = "on")]
    pub request: Option<Duration>,

    /// The seed of all chance there [default: 1]
    #[arg(long, value_name = "N", requires = "on")]
    pub seed: Option<u64>,

    /// Refuse recordings whose machines or questions differ, instead of naming the differences
    #[arg(long)]
    pub strict: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  punctual measure --json >before.json
  punctual measure --json >after.json
  punctual compare before.json after.json
  punctual compare --on windows-10-1909 --on windows-10-2004 --with requester=2ms

Exit status: 0 done, 1 a file cannot be read, 2 the command line or a file is
wrong, or --strict refuses.";

#[cfg(feature = "sim")]
impl CompareArgs {
    /// What is asked of each simulated machine, as `measure` would be asked for it.
    pub fn as_measured(&self) -> Vec<MeasureArgs> {
        const DEFAULT_HERTZ: u64 = 1_000;
        let period = || Period::try_from_hertz(DEFAULT_HERTZ).expect("it is a frequency");
        let asked = |machine: &SimulatedMachine| MeasureArgs {
            period: self.period.unwrap_or_else(period),
            count: self.count,
            duration: None,
            quick: false,
            method: self.method.clone(),
            load: self.load.clone().unwrap_or_default(),
            priority: PriorityArg::Normal,
            pin: None,
            late_rate: None,
            budget: None,
            on: Some(machine.clone()),
            with: self.with.clone(),
            request: self.request,
            tuned: false,
            seed: self.seed.unwrap_or(1),
            format: FormatArgs::default(),
            hdr: None,
            fail_if: Vec::new(),
        };
        self.on.iter().map(asked).collect()
    }
}
