//! The command line of `punctual pace`.

use super::{FormatArgs, PriorityArg, SimulatedMachine, parse_budget, parse_late_rate};
use crate::companion;
use crate::conditions::Conditions;
use crate::quantity::{parse_duration, parse_period};
use punctual::Period;
use punctual::margin::{Budget, LateRate};
use punctual_lab::{Companion, Load};
use std::time::Duration;

/// Measure how steadily periodic loops keep their beat.
///
/// A periodic loop can wait in many ways: it sleeps for the rest of the period, sets a timer again
/// each time, or uses a periodic timer. Each way runs alone for the whole duration, because drift
/// shows only in a long run. Beats of the first 200 ms are not counted. Ctrl-C stops early and shows
/// the results so far.
///
/// The average period is shown with its error against the requested period, in parts per million
/// (ppm) and as the time that a clock that counts these beats would lose in a day. Jitter is the
/// standard deviation of the intervals between beats. A period of the schedule is missed if no beat
/// was nearest to it; the schedule starts at the first beat. Processor time includes the work.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct PaceArgs {
    /// The time between beats: a duration such as 1ms, or a frequency such as 60Hz or 30000/1001Hz
    #[arg(long, value_name = "PERIOD", default_value = "10ms", value_parser = parse_period)]
    pub period: Period,

    /// How long each way runs; on simulated machines this may be days [default: 3s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Run for ten seconds in total
    #[arg(long, conflicts_with = "duration")]
    pub quick: bool,

    /// How long the loop works after every beat; less than the period
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse_duration)]
    pub work: Duration,

    /// A way to keep the beat; may be given several times [default: all of them]
    ///
    /// Linux: nanosleep, sleep-spin, feedback, clock-nanosleep, timerfd-cycle, ticker,
    /// ticker-coarse. Windows: sleep, sleep-spin, feedback, waitable-due, waitable-early,
    /// waitable-abs, waitable-cycle, high-res-due, high-res-early, high-res-abs, high-res-cycle,
    /// timer-queue, time-set-event, ticker, ticker-coarse.
    #[arg(long, value_name = "WAY")]
    pub way: Vec<String>,

    /// The load to run meanwhile: none, cpu, cpu:N, switch, memory, timers, or command:'SHELL
    /// COMMAND'; simulated machines have all of them but memory and command
    #[arg(long, value_name = "LOAD", default_value = "none")]
    pub load: Load,

    /// The priority of the thread that keeps the beat; above normal needs a privilege
    #[arg(long, value_enum, default_value_t = PriorityArg::Normal)]
    pub priority: PriorityArg,

    /// Keep the thread that keeps the beat on one processor
    #[arg(long, value_name = "PROCESSOR")]
    pub pin: Option<usize>,

    /// The share of beats that way 'ticker' may be late for [default: 1%]
    #[arg(long, value_name = "SHARE", value_parser = parse_late_rate)]
    pub late_rate: Option<LateRate>,

    /// The share of time that way 'ticker' may spend spinning [default: 5%]
    #[arg(long, value_name = "SHARE", value_parser = parse_budget)]
    pub budget: Option<Budget>,

    /// Measure on a simulated machine, in virtual time: windows-xp, windows-7, windows-8,
    /// windows-10-1909, windows-10-2004 or windows-11
    ///
    /// Settings may follow the name: windows-7,default-interval=15.6ms. 'punctual machines' lists
    /// them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<SimulatedMachine>,

    /// What else runs on the machine: sleepers=20 (threads of another program), requester=2ms
    /// (another process that asks for a timer interval), or driver=1ms (a driver that asks for one);
    /// may be given several times
    #[arg(long, value_name = "WHO", value_parser = companion::parse)]
    pub with: Vec<Companion>,

    /// Measure each way a second time while this process asks for a timer interval (Windows,
    /// simulated or not)
    #[arg(long, value_name = "INTERVAL", value_parser = companion::parse_interval)]
    pub request: Option<Duration>,

    /// The seed of a simulated machine's random numbers
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1, requires = "on")]
    pub seed: u64,

    #[command(flatten)]
    pub format: FormatArgs,
}

impl PaceArgs {
    /// The conditions under which to measure.
    pub fn conditions(&self) -> Conditions<'_> {
        Conditions {
            load: &self.load,
            with: &self.with,
            priority: self.priority,
            pin: self.pin,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  punctual pace
  punctual pace --quick --markdown
  punctual pace --period 60Hz --duration 1min --load cpu
  punctual pace --way ticker --late-rate 0.1% --budget 20%
  punctual pace --on windows-7 --period 16ms --duration 1d --way ticker-coarse

VirtualDub's tables (\"Win32 timer queues are not suitable for high-performance
timing\"): 109.375 ms instead of 100, 62.5 instead of 47, and a loop whose
average is right:
  punctual pace --on windows-xp --period 100ms --way timer-queue
  punctual pace --on windows-xp --period 47ms --way timer-queue
  punctual pace --on windows-xp --period 47ms --with requester=1ms
  punctual pace --on windows-7 --period 30000/1001Hz --way feedback --request 1ms

The study of high-resolution timers at 1 kHz (siliceum.com): without a request,
with another process's request, and with its own:
  punctual pace --on windows-11 --period 1ms --work 0.09ms
  punctual pace --on windows-11 --period 1ms --work 0.09ms --with requester=1ms
  punctual pace --on windows-11 --period 1ms --work 0.09ms --request 0.5ms

Exit status: 0 done, 1 the run failed, 2 the command line is wrong,
130 stopped by Ctrl-C.";
