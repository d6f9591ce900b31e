//! The command line of `punctual pace`.

#[cfg(feature = "sim")]
use crate::flags::PERSONAS_TOO;
use crate::flags::{ConditionArgs, LearningArgs, OnArgs, parse_interval, parse_period};
use crate::words::Words;
use punctual::Period;
use punctual_command::flags::{FormatArgs, listed};
use punctual_data::quantity::{parse_duration, write_duration, write_period};
use punctual_lab::pace::{Length, Question};
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine, Native};
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
    #[arg(long, value_name = "WAY", long_help = ways())]
    pub way: Vec<String>,

    #[command(flatten)]
    pub conditions: ConditionArgs,

    #[command(flatten)]
    pub learning: LearningArgs,

    #[command(flatten)]
    pub on: OnArgs,

    /// Measure each way a second time while this process requests a timer interval (Windows,
    /// simulated or not)
    #[arg(long, value_name = "INTERVAL", value_parser = parse_interval)]
    pub request: Option<Duration>,

    #[command(flatten)]
    pub format: FormatArgs,
}

impl PaceArgs {
    /// The question.
    pub fn question(&self) -> Question {
        let length = match self.duration {
            Some(duration) => Length::Each(duration),
            None if self.quick => Length::Quick,
            None => Length::default(),
        };
        Question {
            period: self.period,
            length,
            work: self.work,
            ways: self.way.clone(),
            conditions: self.conditions.conditions(),
            late_rate: self.learning.late_rate,
            budget: self.learning.budget,
            request: self.request,
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
    let mut words = Words::of("pace");
    words.on(question.on.as_ref());
    words.flag("--period", write_period(question.period));
    match question.length {
        Length::Each(duration) => words.flag("--duration", write_duration(duration)),
        Length::Quick => words.switch("--quick", true),
    }
    if !question.work.is_zero() {
        words.flag("--work", write_duration(question.work));
    }
    words.each("--way", &question.ways);
    words.conditions(&question.conditions);
    words.learning(question.late_rate, question.budget);
    words.optional("--request", question.request.map(write_duration));
    words
}

/// The help on ways, made from the ways themselves.
fn ways() -> String {
    let here = Native::waiters_for(Kind::Way);
    let here = here.iter().map(|way| (way.name, way.summary));
    let mut help = "A way to keep the beat; may be given several times [default: all of them]\n\n\
                    On this machine:\n"
        .to_owned();
    help += &listed(here);
    #[cfg(feature = "sim")]
    {
        let simulated = <punctual_lab::simulated::SimulatedOs as Machine>::waiters_for(Kind::Way);
        let simulated = simulated.iter().map(|way| (way.name, way.summary));
        help += "\nOn Windows, real or simulated:\n";
        help += &listed(simulated);
        help += PERSONAS_TOO;
    }
    help
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

Exit status: 0 done, 1 the run failed, 2 the command line is wrong;
stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";
