//! The command line of `punctual measure`: from flags to a question, and back to words.

use super::Bound;
#[cfg(feature = "sim")]
use crate::flags::PERSONAS_TOO;
use crate::flags::{
    CONDITIONS, ConditionArgs, LearningArgs, OUTPUT, OnArgs, parse_count, parse_interval,
    parse_period,
};
use crate::words::Words;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use punctual::Period;
use punctual_command::failure::Failure;
use punctual_command::flags::{FormatArgs, RARE, listed};
use punctual_data::quantity::{parse_duration, show_asked, write_duration, write_period};
use punctual_lab::calls::{Lengths, When};
use punctual_lab::measure::{Deadlines, Length, QUICK};
use punctual_lab::pace::{self, Beats};
use punctual_lab::schedule::{Question, Schedule};
use punctual_lab::vary::{Condition, Vary};
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine, Native};
use std::path::PathBuf;
use std::time::Duration;

/// The longest wait: most calls count milliseconds in 32 bits, and nothing waits for a thousand days.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Enough for a median and a look at the tail, and eight values of a millisecond take two seconds.
const COUNT_PER_VALUE: u64 = 200;

/// Measure how late each way of waiting wakes, how steadily it keeps a beat, or how long it waits.
///
/// Each method waits for one deadline per period, many times. The methods take turns of 50 ms, so
/// that a disturbance of the machine affects all of them alike. This takes about 20 seconds by
/// default. Ctrl-C stops early and shows the results so far.
///
/// Lateness is shown twice: per wake and per deadline. The figures per deadline also count the
/// deadlines that passed while the thread still waited for an earlier one. The two differ when the
/// machine stalls.
///
/// With --beat, each method keeps a beat alone for the whole duration, because drift shows only in a
/// long run: it sleeps for the rest of the period, sets a timer again each time, or uses a periodic
/// timer. Beats of the first 200 ms are not counted. The average period is shown with its error
/// against the requested one, in parts per million (ppm) and as the time that a clock that counts
/// these beats would lose in a day. Jitter is the standard deviation of the intervals between beats.
/// A period is missed if no beat was nearest to it. Processor time includes the work.
///
/// With --for, every wait has the same length, and begins when the last one has ended, at random, or
/// after a tick. Each method waits alone, because a tight loop has a rhythm that turns would break.
/// Waits of the first 100 ms are not counted. The table shows the mean of what they took and the
/// spread, which is the standard deviation. Early are those that ended before the length that the
/// system was asked for. Below it are the values near which they cluster, with their shares.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples())]
pub struct MeasureArgs {
    /// The time between deadlines: a duration such as 1ms, or a frequency such as 60Hz or
    /// 30000/1001Hz [default: 1ms]
    #[arg(long, value_name = "PERIOD", value_parser = parse_period)]
    pub period: Option<Period>,

    /// Keep a beat instead, with this time between beats [without a value: 10ms]
    #[arg(
        long, value_name = "PERIOD", num_args = 0..=1, default_missing_value = "10ms",
        value_parser = parse_period, conflicts_with_all = ["period", "count", "hdr", "fail_if"],
    )]
    pub beat: Option<Period>,

    /// Wait for these lengths instead: 1ms, 500us, 0.25s; a number alone counts milliseconds
    /// [without a value: 1ms]
    #[arg(
        long = "for", value_name = "LENGTH", num_args = 0..=1, default_missing_value = "1ms",
        value_delimiter = ',', value_parser = parse_length,
        conflicts_with_all = ["period", "beat", "duration", "tuned", "hdr", "fail_if"],
    )]
    pub lengths: Vec<Duration>,

    /// How many times each method waits, for each length [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "duration", value_parser = parse_count)]
    pub count: Option<u64>,

    /// How long to measure in total, instead of a count; with --beat, how long each method runs
    /// [default: 3s], which on simulated machines may be days
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Measure for ten seconds in total; with --for, a hundred times
    #[arg(long, conflicts_with_all = ["count", "duration"])]
    pub quick: bool,

    /// How long to work after every beat, less than the period, or before each wait of a length
    #[arg(
        long, value_name = "TIME", default_value = "0s", value_parser = parse_duration,
        conflicts_with = "period", hide_short_help = RARE,
    )]
    pub work: Duration,

    /// When each wait of a length begins
    #[arg(
        long, value_name = "WHEN", default_value = "tight", value_parser = when(),
        conflicts_with_all = ["period", "beat"], hide_short_help = RARE,
    )]
    pub at: When,

    /// A method to measure; may be given several times [default: all of them]
    #[arg(long, value_name = "METHOD", value_delimiter = ',', long_help = methods())]
    pub method: Vec<String>,

    #[command(flatten)]
    pub conditions: ConditionArgs,

    #[command(flatten)]
    pub learning: LearningArgs,

    #[command(flatten)]
    pub on: OnArgs,

    /// Measure each method a second time while this process requests a timer interval (Windows,
    /// simulated or not); with --for, request it all the time
    #[arg(long, value_name = "INTERVAL", value_parser = parse_interval, help_heading = CONDITIONS, hide_short_help = RARE)]
    pub request: Option<Duration>,

    /// Measure under each of several values: slack=1ns..1ms, request=1ms..15ms or
    /// requester=1ms..15ms
    ///
    /// The condition is the timer slack of the waiting thread (Linux), this process's own request for a
    /// timer interval, or the request of another process (Windows, simulated or not). Its values are a
    /// list, 1ns,50us, and ranges: 1ns..1ms has a few values between its ends, and 0.5ms..0.51ms/2us one
    /// every 2 us. Unless flags say otherwise, one usual method is measured, 200 times under each value.
    /// On a real machine, all values have their turn four times, so that a disturbance affects them alike.
    #[arg(
        long, value_name = "WHAT", help_heading = CONDITIONS,
        conflicts_with_all = ["hdr", "fail_if"],
    )]
    pub vary: Option<Vary>,

    /// Measure each method a second time with the machine tuned (Linux): /dev/cpu_dma_latency keeps
    /// the processors out of deep sleep, and this program's memory is locked
    ///
    /// The table marks such a series with ! before its name. The machine is tuned only during the
    /// turns of these series. If tuning is not permitted, nothing is measured, and the error names
    /// the command that permits it.
    #[arg(long, help_heading = CONDITIONS, hide_short_help = RARE)]
    pub tuned: bool,

    /// Also show the machine, what is behind the figures, how far predictions can be trusted, and
    /// remarks
    #[arg(long, help_heading = OUTPUT)]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,

    /// Also write the recording, as --json prints it
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub save: Option<PathBuf>,

    /// Also write lateness per deadline in HdrHistogram's percentile format; {method} in the file
    /// name stands for the method, and is required for several methods
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = RARE)]
    pub hdr: Option<PathBuf>,

    /// Exit with status 3 if this is true of any method ('p99>200us') or of the named method
    /// ('punctual.p99>5us'); may be given several times
    ///
    /// Statistics: p50, p90, p99, p99.9, max and mean (of the lateness per deadline), early and
    /// missed (counts), and processor (a share, such as 'spin.processor>99%').
    #[arg(long, value_name = "BOUND", help_heading = OUTPUT)]
    pub fail_if: Vec<Bound>,
}

/// What the flags ask.
#[derive(Debug)]
pub enum Asked {
    Deadlines(Question<Deadlines>),
    Beats(Question<Beats>),
    Lengths(Question<Lengths>),
}

impl MeasureArgs {
    /// The question.
    pub fn question(&self) -> Result<Asked, Failure> {
        let is_varied = |vary: &Vary| vary.condition == Condition::Request;
        if self.request.is_some() && self.vary.as_ref().is_some_and(is_varied) {
            return Err(Failure::flag(
                "--request",
                "--vary varies it; leave one of them out",
            ));
        }
        if let Some(period) = self.beat {
            return Ok(Asked::Beats(self.of(self.beats(period))));
        }
        if !self.lengths.is_empty() {
            return Ok(Asked::Lengths(self.of(self.lengths()?)));
        }
        for (flag, given) in [
            ("--work", !self.work.is_zero()),
            ("--at", self.at != When::Tight),
        ] {
            if given {
                let problem = "it is about a beat or a length; give --for 1ms, too";
                return Err(Failure::flag(flag, problem));
            }
        }
        Ok(Asked::Deadlines(self.of(self.deadlines())))
    }

    fn of<S: Schedule>(&self, schedule: S) -> Question<S> {
        Question {
            schedule,
            waiters: match (&self.vary, self.method.is_empty()) {
                (Some(vary), true) => vec![usual_method(vary.condition).to_owned()],
                _ => self.method.clone(),
            },
            conditions: self.conditions.conditions(),
            late_rate: self.learning.late_rate,
            budget: self.learning.budget,
            request: self.request,
            tuned: self.tuned,
            vary: self.vary.clone(),
            on: self.on.simulated(),
        }
    }

    fn deadlines(&self) -> Deadlines {
        let usual = Period::from_hertz(1_000);
        Deadlines {
            period: self.period.unwrap_or(usual),
            length: match (self.count, self.duration) {
                (_, Some(duration)) => Length::Duration(duration),
                (Some(count), None) => Length::Count(count),
                (None, None) if self.quick => QUICK,
                (None, None) if self.vary.is_some() => Length::Count(COUNT_PER_VALUE),
                (None, None) => Length::default(),
            },
        }
    }

    fn beats(&self, period: Period) -> Beats {
        Beats {
            period,
            length: match self.duration {
                Some(duration) => pace::Length::Each(duration),
                None if self.quick => pace::Length::Quick,
                None => pace::Length::default(),
            },
            work: self.work,
        }
    }

    fn lengths(&self) -> Result<Lengths, Failure> {
        const QUICK: u64 = 100;
        let mut lengths = self.lengths.iter().enumerate();
        if let Some((_, twice)) = lengths.find(|(at, length)| self.lengths[..*at].contains(length))
        {
            let problem = format!("{} is given twice; give it once", show_asked(*twice));
            return Err(Failure::flag("--for", problem));
        }
        Ok(Lengths {
            lengths: self.lengths.clone(),
            at: self.at,
            count: match self.count {
                Some(count) => count,
                None if self.quick => QUICK,
                None if self.vary.is_some() => COUNT_PER_VALUE,
                None => Lengths::COUNT,
            },
            work: self.work,
        })
    }

    /// The flag for how long it takes.
    pub fn length_flag(&self) -> &'static str {
        match (self.quick, self.lengths.is_empty()) {
            (true, _) => "--quick",
            (false, true) => "--duration",
            (false, false) => "--count",
        }
    }
}

/// What the condition is about, as most programs wait.
fn usual_method(condition: Condition) -> &'static str {
    match condition {
        Condition::Slack => "nanosleep",
        Condition::Request | Condition::Requester => "sleep",
    }
}

/// A schedule as flags.
pub trait AsFlags: Schedule {
    fn add_to(&self, words: &mut Words);
}

impl AsFlags for Deadlines {
    fn add_to(&self, words: &mut Words) {
        words.flag("--period", write_period(self.period));
        match self.length {
            Length::Count(count) => words.flag("--count", count),
            Length::Duration(duration) => words.flag("--duration", write_duration(duration)),
        }
    }
}

impl AsFlags for Beats {
    fn add_to(&self, words: &mut Words) {
        words.flag("--beat", write_period(self.period));
        match self.length {
            pace::Length::Each(duration) => words.flag("--duration", write_duration(duration)),
            pace::Length::Quick => words.switch("--quick", true),
        }
        if !self.work.is_zero() {
            words.flag("--work", write_duration(self.work));
        }
    }
}

impl AsFlags for Lengths {
    fn add_to(&self, words: &mut Words) {
        let lengths = self.lengths.iter().copied().map(write_duration);
        words.flag("--for", lengths.collect::<Vec<_>>().join(","));
        words.flag("--at", self.at);
        words.flag("--count", self.count);
        if !self.work.is_zero() {
            words.flag("--work", write_duration(self.work));
        }
    }
}

/// A question as the command line that asks it.
pub fn words<S: AsFlags>(question: &Question<S>) -> Words {
    words_of("measure", question)
}

/// The same for another command with the same question.
pub fn words_of<S: AsFlags>(command: &str, question: &Question<S>) -> Words {
    let mut words = Words::of(command);
    words.on(question.on.as_ref());
    question.schedule.add_to(&mut words);
    words.each("--method", &question.waiters);
    words.conditions(&question.conditions);
    words.learning(question.late_rate, question.budget);
    words.optional("--request", question.request.map(write_duration));
    words.switch("--tuned", question.tuned);
    words.optional("--vary", question.vary.as_ref());
    words
}

/// A duration, or a number of milliseconds.
fn parse_length(text: &str) -> Result<Duration, String> {
    let is_number = text.ends_with(|last: char| last.is_ascii_digit());
    let length = match is_number {
        true => parse_duration(&format!("{text}ms")),
        false => parse_duration(text),
    }?;
    if length > LONGEST {
        return Err(format!("'{text}' is longer than a day; write less"));
    }
    Ok(length)
}

fn when() -> impl TypedValueParser<Value = When> {
    let named = |when: When| {
        let help = match when {
            When::Tight => "When the last one has ended",
            When::Random => {
                "After computing for a random time up to the longest timer interval (Windows) or \
                 10 ms"
            }
            When::Aligned => {
                "Just after a tick: after Sleep(1) (Windows), or at a whole multiple of 10 ms"
            }
        };
        PossibleValue::new(when.name()).help(help)
    };
    PossibleValuesParser::new(When::ALL.map(named)).try_map(|name| name.parse::<When>())
}

/// The help on methods, made from the methods themselves.
fn methods() -> String {
    let mut help =
        "A method to measure; may be given several times [default: all of them]\n".to_owned();
    help += "\nOn this machine:\n";
    help += &methods_of::<Native>();
    #[cfg(feature = "sim")]
    {
        help += "\nOn Windows, real or simulated:\n";
        help += &methods_of::<punctual_lab::simulated::SimulatedOs>();
        help += PERSONAS_TOO;
    }
    help
}

/// Those that wait for deadlines, and then what else there is.
fn methods_of<M: Machine>() -> String {
    let all = M::waiters();
    let (deadlines, other): (Vec<_>, Vec<_>) =
        all.iter().partition(|waiter| waiter.deadlines.is_some());
    let mut help = listed(deadlines.iter().map(|waiter| (waiter.name, waiter.summary)));
    help += "\nOnly with --beat:\n";
    help += &listed(other.iter().map(|waiter| (waiter.name, waiter.summary)));
    for (flag, kind) in [("--beat", Kind::Beats), ("--for", Kind::Lengths)] {
        let able = M::waiters_for(kind);
        let able = able.iter().filter(|waiter| waiter.deadlines.is_some());
        let names: Vec<_> = able.map(|waiter| waiter.name).collect();
        help += &format!("\nAlso with {flag}: {}\n", names.join(", "));
    }
    help
}

fn examples() -> String {
    let simulated = if cfg!(feature = "sim") {
        "  punctual measure --on windows-10-2004 --with requester=1ms
  punctual measure --for 1ms --vary request=0.5ms..15ms --on windows-11
  punctual measure --for 0.5ms,1ms --method high-res --at random --on windows-11
  punctual measure --beat 16ms --on windows-7 --duration 1d --method ticker-coarse

VirtualDub's tables (\"Win32 timer queues are not suitable for high-performance
timing\"): 109.375 ms instead of 100, 62.5 instead of 47, and a loop whose
average is right:
  punctual measure --beat 100ms --on windows-xp --method timer-queue
  punctual measure --beat 47ms --on windows-xp --method timer-queue
  punctual measure --beat 47ms --on windows-xp --with requester=1ms
  punctual measure --beat 30000/1001Hz --on windows-7 --method feedback --request 1ms

The study of high-resolution timers at 1 kHz (siliceum.com): without a request,
with another process's request, and with its own:
  punctual measure --beat 1ms --on windows-11 --work 0.09ms
  punctual measure --beat 1ms --on windows-11 --work 0.09ms --with requester=1ms
  punctual measure --beat 1ms --on windows-11 --work 0.09ms --request 0.5ms
"
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
  punctual measure --json --fail-if 'punctual.p99>50us' >recording.json
  punctual measure --beat 60Hz --duration 1min --load cpu
  punctual measure --for 1ms,5ms,20ms --at random --count 200
  punctual measure --vary slack=1ns..1ms
{simulated}
Exit status: 0 done, 1 the run failed, 2 the command line is wrong, 3 a bound
was broken; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by
SIGHUP."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_a_duration_or_a_number_of_milliseconds() {
        let nanos = |text| parse_length(text).map(|length| length.as_nanos());
        assert_eq!(nanos("1"), Ok(1_000_000));
        assert_eq!(nanos("0.5"), Ok(500_000));
        assert_eq!(nanos("500us"), Ok(500_000));
        assert_eq!(nanos("0"), Ok(0));
        assert!(nanos("").unwrap_err().contains("such as 1.5ms"));
        assert!(nanos("-1").unwrap_err().contains("such as 1.5ms"));
        assert!(nanos("25h").unwrap_err().contains("longer than a day"));
    }
}
