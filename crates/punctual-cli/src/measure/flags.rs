//! The command line of `punctual measure`: from flags to a question, and back to words.

use super::Bound;
#[cfg(feature = "sim")]
use crate::flags::PERSONAS_TOO;
use crate::flags::{
    ConditionArgs, LearningArgs, OnArgs, parse_count, parse_interval, parse_period,
};
use crate::words::Words;
use punctual::Period;
use punctual_command::flags::{FormatArgs, listed};
use punctual_data::quantity::{parse_duration, write_duration, write_period};
use punctual_lab::measure::{Length, QUICK, Question};
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine, Native};
use std::path::PathBuf;
use std::time::Duration;

/// Measure how late each way of waiting wakes.
///
/// Each method waits for one deadline per period, many times. The methods take turns of 50 ms, so
/// that a disturbance of the machine affects all of them alike. This takes about 20 seconds by
/// default. Ctrl-C stops early and shows the results so far.
///
/// Lateness is shown twice: per wake and per deadline. The figures per deadline also count the
/// deadlines that passed while the thread still waited for an earlier one. The two differ when the
/// machine stalls.
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

    /// How long to measure in total, instead of a count
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Measure for ten seconds in total
    #[arg(long, conflicts_with_all = ["count", "duration"])]
    pub quick: bool,

    /// A method to measure; may be given several times [default: all of them]
    #[arg(long, value_name = "METHOD", long_help = methods())]
    pub method: Vec<String>,

    #[command(flatten)]
    pub conditions: ConditionArgs,

    #[command(flatten)]
    pub learning: LearningArgs,

    #[command(flatten)]
    pub on: OnArgs,

    /// Measure each method a second time while this process requests a timer interval (Windows,
    /// simulated or not)
    #[arg(long, value_name = "INTERVAL", value_parser = parse_interval)]
    pub request: Option<Duration>,

    /// Measure each method a second time with the machine tuned (Linux): /dev/cpu_dma_latency keeps
    /// the processors out of deep sleep, and this program's memory is locked
    ///
    /// The table marks such a series with ! before its name. The machine is tuned only during the
    /// turns of these series. If tuning is not permitted, nothing is measured, and the error names
    /// the command that permits it.
    #[arg(long)]
    pub tuned: bool,

    #[command(flatten)]
    pub format: FormatArgs,

    /// Also write lateness per deadline in HdrHistogram's percentile format; {method} in the file
    /// name stands for the method, and is required for several methods
    #[arg(long, value_name = "FILE")]
    pub hdr: Option<PathBuf>,

    /// Exit with status 3 if this is true of any method ('p99>200us') or of the named method
    /// ('punctual.p99>5us'); may be given several times
    ///
    /// Statistics: p50, p90, p99, p99.9, max and mean (of the lateness per deadline), early and
    /// missed (counts), and processor (a share, such as 'spin.processor>99%').
    #[arg(long, value_name = "BOUND")]
    pub fail_if: Vec<Bound>,
}

impl MeasureArgs {
    /// The question.
    pub fn question(&self) -> Question {
        let length = match (self.count, self.duration) {
            (_, Some(duration)) => Length::Duration(duration),
            (Some(count), None) => Length::Count(count),
            (None, None) if self.quick => QUICK,
            (None, None) => Length::default(),
        };
        Question {
            period: self.period,
            length,
            methods: self.method.clone(),
            conditions: self.conditions.conditions(),
            late_rate: self.learning.late_rate,
            budget: self.learning.budget,
            request: self.request,
            tuned: self.tuned,
            on: self.on.simulated(),
        }
    }

    /// The flag for how long it takes.
    pub fn length_flag(&self) -> &'static str {
        if self.quick { "--quick" } else { "--duration" }
    }
}

/// A question as the command line that asks it.
pub fn words(question: &Question) -> Words {
    words_of("measure", question)
}

/// The same for another command with the same question.
pub fn words_of(command: &str, question: &Question) -> Words {
    let mut words = Words::of(command);
    words.on(question.on.as_ref());
    words.flag("--period", write_period(question.period));
    match question.length {
        Length::Count(count) => words.flag("--count", count),
        Length::Duration(duration) => words.flag("--duration", write_duration(duration)),
    }
    words.each("--method", &question.methods);
    words.conditions(&question.conditions);
    words.learning(question.late_rate, question.budget);
    words.optional("--request", question.request.map(write_duration));
    words.switch("--tuned", question.tuned);
    words
}

/// The help on methods, made from the methods themselves.
fn methods() -> String {
    let here = Native::waiters_for(Kind::Method);
    let here = here.iter().map(|offer| (offer.name, offer.summary));
    let mut help = "A method to measure; may be given several times [default: all of them]\n\n\
                    On this machine:\n"
        .to_owned();
    help += &listed(here);
    #[cfg(feature = "sim")]
    {
        let simulated =
            <punctual_lab::simulated::SimulatedOs as Machine>::waiters_for(Kind::Method);
        let simulated = simulated.iter().map(|offer| (offer.name, offer.summary));
        help += "\nOn Windows, real or simulated:\n";
        help += &listed(simulated);
        help += PERSONAS_TOO;
    }
    help
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

Exit status: 0 done, 1 the run failed, 2 the command line is wrong, 3 a bound
was broken; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by
SIGHUP."
    )
}
