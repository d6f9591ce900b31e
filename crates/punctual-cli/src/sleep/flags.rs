//! The command line of `punctual sleep`: from flags to a question, and back to words.

use crate::flags::{ConditionArgs, OnArgs, parse_count, parse_interval};
use crate::words::Words;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use punctual_command::failure::Failure;
use punctual_command::flags::{FormatArgs, listed};
use punctual_data::quantity::{parse_duration, show_asked, write_duration};
use punctual_lab::calls::{Question, When};
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine, Native};
use std::path::PathBuf;
use std::time::Duration;

/// The longest wait: most calls count milliseconds in 32 bits, and nobody waits for a thousand days.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The name for all calls that the machine lists.
const ALL: &str = "all";

/// Measure how long bare calls take that wait for so long.
///
/// 'measure' and 'pace' keep deadlines, so their waits differ in length. Here every call waits for
/// the same length, and begins when the last one has returned, at random, or after a tick. Each call
/// runs alone, because a tight loop has a rhythm that turns would break. Calls of the first 100 ms
/// are not counted. Ctrl-C stops early and shows the results so far.
///
/// The table shows the mean of what the calls took and their spread, which is the standard
/// deviation. Early are calls that ended before the length that the system was asked for. Below it
/// are the values near which the durations cluster, with their shares.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples())]
pub struct SleepArgs {
    /// How long to wait: 1ms, 500us, 0.25s; a number alone counts milliseconds
    #[arg(value_name = "LENGTH", default_value = "1ms", value_parser = parse_length)]
    pub length: Vec<Duration>,

    /// The calls that wait, by name, or all [default: all]
    #[arg(long, value_name = "CALL", value_delimiter = ',', long_help = calls())]
    pub call: Vec<String>,

    /// Runtimes whose waits to measure, by the names that 'punctual personas' lists, on a simulated
    /// machine; with --call, both
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "PERSONA", value_delimiter = ',', requires = "on")]
    pub persona: Vec<String>,

    /// When each call begins
    #[arg(long, value_name = "WHEN", default_value = "tight", value_parser = when())]
    pub at: When,

    /// How many times to make each call with each length
    #[arg(long, value_name = "N", default_value_t = Question::COUNT, value_parser = parse_count)]
    pub count: u64,

    /// How long to compute before each call
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse_duration)]
    pub work: Duration,

    #[command(flatten)]
    pub conditions: ConditionArgs,

    #[command(flatten)]
    pub on: OnArgs,

    /// Request a timer interval all the time (Windows, simulated or not)
    #[arg(long, value_name = "INTERVAL", value_parser = parse_interval)]
    pub request: Option<Duration>,

    #[command(flatten)]
    pub format: FormatArgs,

    /// Also write the recording, as --json prints it, with the duration of every call
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

impl SleepArgs {
    /// The question.
    pub fn question(&self) -> Result<Question, Failure> {
        let mut lengths = self.length.iter().enumerate();
        if let Some((_, twice)) = lengths.find(|(at, length)| self.length[..*at].contains(length)) {
            let problem = format!("{} is given twice; give it once", show_asked(*twice));
            return Err(Failure::flag("LENGTH", problem));
        }
        let is_all = self.call.iter().any(|call| call == ALL);
        if is_all && self.call.len() > 1 {
            let problem = format!("'{ALL}' is every call; give it alone, or the names alone");
            return Err(Failure::flag("--call", problem));
        }
        if is_all && !self.persona.is_empty() {
            let problem = format!("'{ALL}' is every call and no persona; name the calls");
            return Err(Failure::flag("--call", problem));
        }
        let calls = match is_all {
            true => Vec::new(),
            false => [&self.call[..], &self.persona].concat(),
        };
        Ok(Question {
            lengths: self.length.clone(),
            calls,
            at: self.at,
            count: self.count,
            work: self.work,
            conditions: self.conditions.conditions(),
            request: self.request,
            on: self.on.simulated(),
        })
    }
}

/// A question as the command line that asks it.
pub fn words(question: &Question) -> Words {
    let mut words = Words::of("sleep");
    for &length in &question.lengths {
        words.word(write_duration(length));
    }
    words.on(question.on.as_ref());
    if !question.calls.is_empty() {
        words.flag("--call", question.calls.join(","));
    }
    words.flag("--at", question.at);
    words.flag("--count", question.count);
    if !question.work.is_zero() {
        words.flag("--work", write_duration(question.work));
    }
    words.conditions(&question.conditions);
    words.optional("--request", question.request.map(write_duration));
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
            When::Tight => "When the last call has returned",
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

/// The help on calls, made from the calls themselves.
fn calls() -> String {
    let here = Native::waiters_for(Kind::Call);
    let here = here.iter().map(|call| (call.name, call.summary));
    let mut help = "The calls that wait, by name, or all [default: all]\n\nA call that counts \
                    milliseconds or microseconds gets the length rounded up, and a note says so.\n\n\
                    On this machine:\n"
        .to_owned();
    help += &listed(here);
    #[cfg(feature = "sim")]
    {
        let simulated = <punctual_lab::simulated::SimulatedOs as Machine>::waiters_for(Kind::Call);
        let simulated = simulated.iter().map(|call| (call.name, call.summary));
        help += "\nOn Windows, real or simulated:\n";
        help += &listed(simulated);
    }
    help
}

fn examples() -> String {
    let simulated = if cfg!(feature = "sim") {
        "  punctual sleep 1ms --on windows-10-2004 --with requester=2ms
  punctual sleep 0.5ms 1ms --call high-res --at random --on windows-11
"
    } else {
        ""
    };
    format!(
        "\
Examples:
  punctual sleep 1ms
  punctual sleep 1ms 5ms 20ms --at random --count 200
{simulated}  punctual sleep 1ms --call std-sleep --save sleep.json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong; stopped by a
signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP."
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
