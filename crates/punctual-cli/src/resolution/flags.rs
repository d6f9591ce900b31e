//! `punctual resolution` and the commands below it.

use crate::flags::intervals::{self, Range};
use crate::flags::{OnArgs, parse_count};
use crate::words::Words;
use clap::Subcommand;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_data::quantity::write_duration;
use punctual_lab::conditions::Companion;
use punctual_lab::resolution::sweep::Question;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Show the timer interval, request another, find the best one, or list its requesters.
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
  punctual resolution sweep --on windows-11
  punctual resolution who --from energy-report.html";

#[derive(Debug, Subcommand)]
pub enum ResolutionAction {
    Hold(HoldArgs),
    Sweep(ResolutionSweepArgs),
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
    #[arg(value_name = "INTERVAL", value_parser = intervals::parse_one)]
    pub interval: Duration,

    /// The command to run meanwhile, with its arguments
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<OsString>,
}

/// Measure Sleep(1) under many requests, and recommend one.
///
/// The shortest interval is not always the best: on some machines, a request of 0.507 ms makes
/// Sleep(1) shorter than a request of 0.500 ms. This takes about a minute by default. Ctrl-C stops
/// early and shows the results so far.
#[derive(Debug, clap::Args)]
pub struct ResolutionSweepArgs {
    /// The shortest and the longest interval to request
    #[arg(value_name = "RANGE", default_value = "0.5ms..1ms", value_parser = intervals::parse_range)]
    pub range: Range,

    /// The step from one request to the next [default: 0.002ms]
    #[arg(long, value_name = "TIME", value_parser = intervals::parse_one)]
    pub step: Option<Duration>,

    /// Try a fifth of the requests, in steps of 0.01 ms: ten seconds instead of a minute
    #[arg(long, conflicts_with = "step")]
    pub quick: bool,

    /// How many times to sleep under each request
    #[arg(long, value_name = "N", default_value = "200", value_parser = parse_count)]
    pub count: u64,

    #[command(flatten)]
    pub machine: MachineArgs,

    #[command(flatten)]
    pub format: FormatArgs,
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

/// The default step from one request to the next.
const STEP: Duration = Duration::from_micros(2);

/// The step of a quick sweep: ten seconds for the usual range, which still shows the curve.
const QUICK_STEP: Duration = Duration::from_micros(10);

/// This many requests take five minutes. No finer difference has been found.
const MOST_ROWS: u128 = 1_001;

impl ResolutionSweepArgs {
    /// The question.
    pub fn question(&self) -> Result<Question, Failure> {
        let step = match self.quick {
            true => QUICK_STEP,
            false => self.step.unwrap_or(STEP),
        };
        let sleeps = u32::try_from(self.count)
            .map_err(|_| Failure::flag("--count", "write at most 4294967295"))?;
        let question = Question {
            first: self.range.first,
            last: self.range.last,
            step,
            sleeps,
            with: self.machine.with.clone(),
            on: self.machine.on.simulated(),
        };
        let rows = question.requests();
        if rows > MOST_ROWS {
            let problem =
                format!("that is {rows} requests; write a longer step, for at most {MOST_ROWS}");
            let flag = if self.quick { "--quick" } else { "--step" };
            return Err(Failure::flag(flag, problem));
        }
        Ok(question)
    }
}

/// A question as the command line that asks it.
pub fn words(question: &Question) -> Words {
    let mut words = Words::of("resolution");
    words.switch("sweep", true);
    let [first, last] = [question.first, question.last].map(write_duration);
    words.switch(&format!("{first}..{last}"), true);
    words.flag("--step", write_duration(question.step));
    words.flag("--count", question.sleeps);
    words.on(question.on.as_ref());
    words.with(&question.with);
    words
}
