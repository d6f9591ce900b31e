//! `punctual measure`: how late each way of waiting wakes.

mod beats;
mod deadlines;
mod flags;
mod lengths;
mod warnings;

pub use deadlines::PER_DEADLINE;
pub use flags::{AsFlags, Asked, MeasureArgs, words, words_of};
pub use warnings::BUSY_LOAD_AVERAGE;

use crate::run::{self, Prepared};
use crate::show::Show;
use crate::statistics::{EXIT_BOUND_BROKEN, NAMES, statistic};
use deadlines::Measurement;
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::distribution::Figure;
use punctual_data::json;
use punctual_data::quantity::{parse_duration, parse_share, show};
use punctual_lab::measure::{Question, Recording, SeriesRecord};
use punctual_lab::recording;
use punctual_lab::schedule::{self, Schedule};
use punctual_lab::{Machine, Native};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

/// Runs the command.
pub fn measure(args: &MeasureArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match args.question()? {
        Asked::Deadlines(question) => {
            let prepared = Prepared::of(&question, args.length_flag())?;
            check(args, &prepared.series, stop)?;
            answer(args, &question, &prepared, stop, |recording| {
                let slackened = &slackened(&question);
                let shown = Measurement {
                    recording,
                    slackened,
                };
                crate::show::in_format(args.format, &shown)?;
                write_percentiles(args, recording, stop)?;
                Ok(verdict(args, recording, stop))
            })
        }
        Asked::Beats(question) => plainly(args, &question, stop),
        Asked::Lengths(question) => plainly(args, &question, stop),
    }
}

/// Answers a question without bounds and files of its own.
fn plainly<S: AsFlags>(
    args: &MeasureArgs,
    question: &schedule::Question<S>,
    stop: &Stop,
) -> Result<ExitCode, Failure>
where
    recording::Recording<S>: Show,
{
    let prepared = Prepared::of(question, args.length_flag())?;
    answer(args, question, &prepared, stop, |recording| {
        crate::show::in_format(args.format, recording)?;
        Ok(stop.status())
    })
}

/// The flag for the recording's file.
const SAVE: &str = "--save";

/// Asks, shows the answer, and saves it.
fn answer<S: Schedule>(
    args: &MeasureArgs,
    question: &schedule::Question<S>,
    prepared: &Prepared<S::Plan>,
    stop: &Stop,
    shown: impl FnOnce(&recording::Recording<S>) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.save {
        output::ensure_writable(stop, &[(SAVE, file)], &[])?;
    }
    let ran = run::ask(question, prepared, stop)?;
    let recording = ran.recording(question, prepared.plan);
    let status = shown(&recording)?;
    if let Some(file) = &args.save {
        output::file(stop, file, |out| json::write(out, &recording))?;
    }
    match ran.spoiled {
        Some(failure) => Err(failure),
        None => Ok(status),
    }
}

/// Refuses what only this command can be asked for, before anything runs.
fn check(args: &MeasureArgs, series: &[String], stop: &Stop) -> Result<(), Failure> {
    for bound in &args.fail_if {
        let method = bound.method.as_ref();
        if let Some(method) = method.filter(|method| !series.contains(method)) {
            let problem = format!("'{bound}' is about '{method}', which is not measured");
            return Err(Failure::flag("--fail-if", problem));
        }
    }
    ensure_percentiles(args, series.len(), stop)
}

/// The methods of this machine that timer slack delays.
fn slackened(question: &Question) -> Vec<&'static str> {
    let offers = Native::waiters().into_iter();
    let slackened = offers.filter(|offer| question.on.is_none() && offer.slack_applies);
    slackened.map(|offer| offer.name).collect()
}

/// Asks simulated machines questions, one after the other.
#[cfg(feature = "sim")]
pub fn simulated_recordings(
    questions: &[Question],
    stop: &Stop,
) -> Result<Vec<Recording>, Failure> {
    let asked = questions.iter().map(|question| {
        let prepared = Prepared::of(question, "--count")?;
        let ran = run::simulated::ask(question, &prepared, stop)?;
        Ok(ran.recording(question, prepared.plan))
    });
    asked.collect()
}

fn verdict(args: &MeasureArgs, recording: &Recording, stop: &Stop) -> ExitCode {
    let broken: Vec<_> = args
        .fail_if
        .iter()
        .flat_map(|bound| bound.violations(&recording.series))
        .collect();
    for violation in &broken {
        complain(format_args!("bound broken: {violation}"));
    }
    match broken.is_empty() || recording.interrupted {
        true => stop.status(),
        false => ExitCode::from(EXIT_BOUND_BROKEN),
    }
}

// `--hdr`: a file of percentiles for each method.

const HDR: &str = "--hdr";

/// The placeholder for the method in a file's name.
const METHOD: &str = "{method}";

/// Refuses files that could not be written at the end, before anything runs.
fn ensure_percentiles(args: &MeasureArgs, series: usize, stop: &Stop) -> Result<(), Failure> {
    let Some(file) = &args.hdr else {
        return Ok(());
    };
    if series > 1 && !file.to_string_lossy().contains(METHOD) {
        let problem = format!(
            "{series} series would be written into one file; write {METHOD} into its name, as in \
             lateness-{METHOD}.hgrm, or choose one with --method"
        );
        return Err(Failure::flag(HDR, problem));
    }
    output::ensure_writable(stop, &[(HDR, file)], &[])
}

/// Writes the requested files.
fn write_percentiles(
    args: &MeasureArgs,
    recording: &Recording,
    stop: &Stop,
) -> Result<(), Failure> {
    let Some(file) = &args.hdr else {
        return Ok(());
    };
    recording.series.iter().try_for_each(|series| {
        let file = named(file, &series.method);
        output::file(stop, &file, |out| {
            series.per_deadline.write_percentiles(out)
        })
    })
}

fn named(file: &Path, method: &str) -> PathBuf {
    PathBuf::from(file.to_string_lossy().replace(METHOD, method))
}

// `--fail-if`: a bound on the results, and whether it was kept.

/// `[METHOD.]STATISTIC>LIMIT`: a condition that must not become true.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The method that it applies to; all of them if none.
    pub method: Option<String>,
    limit: Limit,
    /// As it was typed.
    text: String,
}

#[derive(Debug, Clone, Copy)]
enum Limit {
    Lateness(Figure, Duration),
    Count(Counter, u64),
    ProcessorShare(f64),
}

/// A statistic that is a count: its name, and the function that finds it.
type Counter = (&'static str, fn(&SeriesRecord) -> u64);

const COUNTERS: [Counter; 2] = [
    ("early", |series| series.early),
    ("missed", |series| series.missed),
];

const PROCESSOR: &str = "processor";

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (subject, limit) = text.split_once('>').ok_or_else(|| {
            format!("'{text}' is not a bound; write the condition to fail on, such as 'p99>200us' or 'punctual.p99>5us'")
        })?;
        let (method, statistic) = split_subject(subject.trim());
        Ok(Self {
            method: method.map(str::to_owned),
            limit: Limit::parse(statistic, limit.trim())?,
            text: text.to_owned(),
        })
    }
}

/// Method and statistic. The dot of `p99.9` is not a separator, because no method begins with a
/// digit.
fn split_subject(subject: &str) -> (Option<&str>, &str) {
    match subject.split_once('.') {
        Some((method, statistic))
            if !statistic.starts_with(|first: char| first.is_ascii_digit()) =>
        {
            (Some(method), statistic)
        }
        _ => (None, subject),
    }
}

impl Limit {
    fn parse(name: &str, limit: &str) -> Result<Self, String> {
        if let Some(statistic) = statistic(name) {
            return Ok(Self::Lateness(statistic, parse_duration(limit)?));
        }
        if let Some(counter) = COUNTERS.into_iter().find(|known| known.0 == name) {
            let count = limit
                .parse()
                .map_err(|_| format!("'{limit}' is not a number of times"))?;
            return Ok(Self::Count(counter, count));
        }
        if name == PROCESSOR {
            return Ok(Self::ProcessorShare(parse_share(limit)?));
        }
        Err(format!(
            "there is no statistic '{name}'; there are {NAMES}, early, missed, {PROCESSOR}"
        ))
    }

    /// The measured value in words, if it is beyond the limit. Lateness counts per deadline, so
    /// that missed deadlines cannot make a machine look better.
    fn violation(self, series: &SeriesRecord) -> Option<String> {
        match self {
            Self::Lateness(figure, limit) => {
                let measured = Duration::from_nanos(figure.of(&series.per_deadline));
                let name = figure.name();
                (measured > limit).then(|| format!("{name} per deadline is {}", show(measured)))
            }
            Self::Count((name, of), limit) => {
                let measured = of(series);
                (measured > limit).then(|| format!("{name} is {measured}"))
            }
            Self::ProcessorShare(limit) => {
                let measured = series.processor_share;
                (measured > limit).then(|| format!("processor share is {:.1} %", measured * 100.0))
            }
        }
    }
}

impl Bound {
    /// The violations of this bound, a sentence for each method. A method that was never measured
    /// also breaks it.
    pub fn violations(&self, series: &[SeriesRecord]) -> Vec<String> {
        let concerns = |record: &&SeriesRecord| {
            let method = self.method.as_ref();
            record.count > 0 && method.is_none_or(|method| *method == record.method)
        };
        let concerned: Vec<_> = series.iter().filter(concerns).collect();
        if concerned.is_empty() {
            let whom = self.method.as_deref().unwrap_or("any method");
            return vec![format!("{self}: there is no measurement of {whom}")];
        }
        let violation = |record: &&SeriesRecord| {
            let measured = self.limit.violation(record)?;
            Some(format!("{self}: for {} the {measured}", record.method))
        };
        concerned.iter().filter_map(violation).collect()
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
