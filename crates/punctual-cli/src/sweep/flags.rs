//! The command line of `punctual sweep`.

use super::slacks::{self, Slacks};
use crate::flags::intervals::{self, Intervals};
use crate::flags::{MachineName, StandingArgs};
use crate::words::Words;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_data::quantity::write_duration;
use punctual_lab::conditions::Companion;
use punctual_lab::slack;
use punctual_lab::sweep::{By, Machines, Question};
use std::time::Duration;

/// Measure Sleep(1) while another process requests timer intervals, on simulated machines.
///
/// This repeats the experiment of the article "The Great Rule Change". Another process requests a
/// timer interval: 1 ms, 2 ms, and so on. This process requests none. It measures the interval in
/// force, the step of timeGetTime, and the duration of Sleep(1), as the article's program does. Up
/// to Windows 10 1909 a request shortens everybody's sleeps. Since 2004 it shortens only those of
/// the process that makes it. Everything is simulated, in virtual time, and takes less than a
/// second.
///
/// One machine is shown in full, several are shown side by side. A sign after
/// a mean says how far it can be trusted: whether a publication states it, and otherwise whether
/// its rules were measured, inferred or contradicted.
///
/// With --native the command sweeps this machine: on Linux the timer slack of the sleeping thread,
/// which lets the kernel end its waits later, and on Windows the interval.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SweepArgs {
    /// A simulated machine; may be given several times [default: all that 'punctual windows rules'
    /// lists]
    ///
    /// Settings and rules may follow the name: windows-10-2004,processors=2,noise=5us/1ms or
    /// windows-10-2004,due-time=coarse. 'punctual windows rules' lists them.
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Vec<MachineName>,

    /// Sweep this machine: timer slack on Linux, in about five seconds, or the interval on Windows,
    /// in half a minute
    #[arg(long, conflicts_with_all = ["on", "with", "StandingArgs", "seed"])]
    pub native: bool,

    /// Take ten seconds at most: fewer sleeps, and on Windows fewer intervals
    #[arg(long, requires = "native", conflicts_with = "interval")]
    pub quick: bool,

    /// The timer slacks to try: 50us, a list 1ns,50us, or a range 1us..1ms in steps of 1, 2 and 5;
    /// may be given several times [default: 1ns,10us..1ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = slacks::parse, requires = "native")]
    pub slack: Vec<Slacks>,

    /// Who requests the interval: another process, the process that sleeps, or its parent
    #[arg(long, value_name = "WHO", default_value = "other", value_parser = by())]
    pub by: By,

    /// The intervals to request: 2ms, a list 1ms,2ms, or a range 1ms..15ms in steps of 1 ms; may be
    /// given several times [default: 1ms..15ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = intervals::parse)]
    pub interval: Vec<Intervals>,

    /// What else runs on the machines: sleepers=20 (threads of another program), driver=1ms or
    /// requester=2ms (a driver or a process that requests an interval too); may be given several
    /// times
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "WHO")]
    pub with: Vec<Companion>,

    #[command(flatten)]
    pub standing: StandingArgs,

    /// The seed of all random numbers; the same seed gives the same output
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub format: FormatArgs,
}

fn by() -> impl TypedValueParser<Value = By> {
    let named = |by: By| {
        let help = match by {
            By::Other => "Another process",
            By::Own => "The process that sleeps",
            By::Parent => {
                "The process that started it; on no version does its request reach its children"
            }
        };
        PossibleValue::new(by.name()).help(help)
    };
    PossibleValuesParser::new(By::ALL.map(named)).try_map(|name| name.parse::<By>())
}

impl SweepArgs {
    /// The question for these machines.
    pub fn question(&self, machines: Machines) -> Result<Question, Failure> {
        Ok(Question {
            by: self.by,
            intervals: self.intervals()?,
            with: self.with.clone(),
            standing: self.standing.standing(),
            machines,
        })
    }

    /// The requested intervals, ascending, each once.
    fn intervals(&self) -> Result<Vec<Duration>, Failure> {
        let usual = match self.quick {
            true => Intervals::few(),
            false => Intervals::of_the_article(),
        };
        let given = self.interval.iter().flat_map(|given| &given.0).copied();
        let intervals = ascending(given, usual.0);
        if intervals.len() > intervals::MOST {
            let problem = format!("at most {} intervals in one table", intervals::MOST);
            return Err(Failure::flag("--interval", problem));
        }
        Ok(intervals)
    }

    /// The question for a system with timer slack.
    pub fn about_slack(&self) -> Result<slack::Question, Failure> {
        for (flag, given) in [
            ("--interval", !self.interval.is_empty()),
            ("--by", self.by != By::Other),
        ] {
            if given {
                let problem = "this system has no timer interval to request; --slack varies \
                               its timer slack";
                return Err(Failure::flag(flag, problem));
            }
        }
        let given = self.slack.iter().flat_map(|given| &given.0).copied();
        let slacks = ascending(given, Slacks::usual().0);
        if slacks.len() > slacks::MOST {
            let problem = format!("at most {} slacks in one picture", slacks::MOST);
            return Err(Failure::flag("--slack", problem));
        }
        Ok(slack::Question {
            slacks,
            quick: self.quick,
        })
    }
}

/// The slacks, each once; the usual ones if none is given.
fn ascending(given: impl Iterator<Item = Duration>, usual: Vec<Duration>) -> Vec<Duration> {
    let mut all: Vec<_> = given.collect();
    if all.is_empty() {
        all = usual;
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A question as the command line that asks it.
pub fn words(question: &Question) -> Words {
    let mut words = Words::of("sweep");
    match &question.machines {
        Machines::Native => words.switch("--native", true),
        Machines::Simulated { machines, seed } => {
            words.each("--on", machines);
            words.flag("--seed", seed);
        }
    }
    words.flag("--interval", joined(&question.intervals));
    words.with(&question.with);
    words.standing(question.standing);
    if question.by != By::Other {
        words.flag("--by", question.by.name());
    }
    words
}

/// A question about slack as the command line that asks it.
pub fn words_about_slack(question: &slack::Question) -> Words {
    let mut words = Words::of("sweep");
    words.switch("--native", true);
    words.flag("--slack", joined(&question.slacks));
    words.switch("--quick", question.quick);
    words
}

fn joined(times: &[Duration]) -> String {
    let times: Vec<_> = times.iter().map(|time| write_duration(*time)).collect();
    times.join(",")
}

const EXAMPLES: &str = "\
Examples:
  punctual sweep
  punctual sweep --on windows-10-1909 --on windows-10-2004
  punctual sweep --on windows-10-2004 --by self
  punctual sweep --on windows-10-2004 --with sleepers=20
  punctual sweep --on windows-11 --by self --hidden
  punctual sweep --on windows-7 --on windows-7,default-interval=15.6ms
  punctual sweep --on windows-11 --interval 0.5ms,1ms..4ms --json
  punctual sweep --markdown
  punctual sweep --native --slack 1ns,50us,100us..1ms
  punctual sweep --native --by parent --interval 1ms,2ms

Exit status: 0 done, 1 the run failed, 2 the command line is wrong;
stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";
