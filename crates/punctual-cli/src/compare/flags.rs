//! The command line of `punctual compare`.

use crate::flags::{MachineName, OUTPUT, parse_count, parse_interval, parse_period};
use punctual::Period;
use punctual_command::flags::{FormatArgs, parse_whole};
use punctual_lab::conditions::{Companion, Load};
#[cfg(feature = "sim")]
use punctual_lab::measure::{Deadlines, Length, Question};
#[cfg(feature = "sim")]
use punctual_lab::question::Conditions;
use std::path::PathBuf;
use std::time::Duration;

/// Compare measurements, method by method, or explanations, cause by cause, with confidence intervals.
///
/// Reads recordings of 'punctual measure --json', or measures on simulated machines (--on). The
/// first is the baseline. Each statistic of each method is shown as a ratio to the baseline, with
/// its 99 % confidence interval (a bootstrap over batches of consecutive turns). If the interval
/// contains 1 or comes within 1 % of it: no change. Lateness is per deadline and includes missed
/// deadlines.
///
/// Explanations of 'punctual explain --json' are compared by how long each cause took in a wake-up on
/// average. A change of less than 1 % of the baseline's mean lateness is none.
///
/// Differences between the machines or the settings are listed first. The interval covers the
/// variation within a recording. It cannot cover slower changes of the machine, so before you
/// believe a small change, record both sides several times in turns.
#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// Recordings, or explanations; the first is the baseline
    #[arg(
        value_name = "FILE",
        num_args = 2..,
        required_unless_present = "on",
        conflicts_with_all = ["on", "period", "count", "method", "load", "with", "request", "seed"]
    )]
    pub files: Vec<PathBuf>,

    /// Measure on this simulated machine instead of reading a file; give two or more, the baseline
    /// first
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "MACHINE")]
    pub on: Vec<MachineName>,

    /// The time between deadlines on simulated machines, as for 'punctual measure' [default: 1ms]
    #[arg(long, value_name = "PERIOD", value_parser = parse_period, requires = "on")]
    pub period: Option<Period>,

    /// How many times each method waits on them [default: 1000]
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "on")]
    pub count: Option<u64>,

    /// A method to measure on them; may be given several times [default: all of them]
    #[arg(long, value_name = "METHOD", requires = "on")]
    pub method: Vec<String>,

    /// The load on the simulated machines: none, cpu, cpu:N, switch or timers
    #[arg(long, value_name = "LOAD", requires = "on")]
    pub load: Option<Load>,

    /// What else runs on them: sleepers=20, requester=2ms or driver=1ms; may be given several times
    #[arg(long, value_name = "WHO", requires = "on")]
    pub with: Vec<Companion>,

    /// Measure each method a second time while its own process requests a timer interval
    #[arg(long, value_name = "INTERVAL", value_parser = parse_interval, requires = "on")]
    pub request: Option<Duration>,

    /// The seed of the simulated machines' random numbers [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, requires = "on")]
    pub seed: Option<u64>,

    /// Refuse recordings and explanations that differ in machine or settings, instead of listing the differences
    #[arg(long)]
    pub strict: bool,

    /// Also show all other statistics of each method; of explanations, what took more time than before
    #[arg(long, conflicts_with = "FormatArgs", help_heading = OUTPUT)]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  punctual measure --json >before.json
  punctual measure --json >after.json
  punctual compare before.json after.json
  punctual compare why-before.json why-after.json
  punctual compare --on windows-10-1909 --on windows-10-2004 --with requester=2ms

Exit status: 0 done, 1 the run failed, 2 the command line or a file is wrong, or
--strict refuses; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by
SIGHUP.";

#[cfg(feature = "sim")]
impl CompareArgs {
    /// The question for each simulated machine.
    pub fn questions(&self) -> Vec<Question> {
        const USUAL: Period = Period::from_hertz(1_000);
        let seed = self.seed.unwrap_or(1);
        let asked = |machine: &MachineName| Question {
            waiters: self.method.clone(),
            conditions: Conditions {
                load: self.load.clone().unwrap_or_default(),
                with: self.with.clone(),
                ..Conditions::default()
            },
            request: self.request,
            on: Some(machine.seeded(seed)),
            ..Question::of(Deadlines {
                period: self.period.unwrap_or(USUAL),
                length: self.count.map_or_else(Length::default, Length::Count),
            })
        };
        self.on.iter().map(asked).collect()
    }
}
