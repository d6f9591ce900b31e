//! `punctual measure`: how late each way of waiting wakes.

mod answer;
mod beats;
mod deadlines;
mod flags;
mod lengths;
mod printed;
mod show;
mod vary;
mod warnings;

pub use answer::of_beats;
#[cfg(test)]
pub use flags::AsFlags;
pub use flags::{Asked, MeasureArgs, words, words_of};

pub use printed::Printed;
pub use vary::{Row, Varied};
pub use warnings::BUSY_LOAD_AVERAGE;

use self::printed::Fact;
use self::show::Measurement;
use crate::EXIT_BOUND_BROKEN;
use crate::run::{self, Prepared};
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::distribution::Figure;
use punctual_data::json;
use punctual_data::quantity::{self, parse_duration, parse_share};
use punctual_lab::measure::{Recording, SeriesRecord};
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
            answer(args, &question, stop, |recording| {
                write_percentiles(args, recording, stop)?;
                Ok(verdict(args, recording, stop))
            })
        }
        Asked::Beats(question) => answer(args, &question, stop, |_| Ok(stop.status())),
        Asked::Lengths(question) => answer(args, &question, stop, |_| Ok(stop.status())),
    }
}

/// Asks, under each value of the condition that is varied, if one is. Returns why the recording is worth nothing, too.
/// `length_flag` is the flag for how long it takes.
pub fn ask<S: Schedule>(
    question: &schedule::Question<S>,
    length_flag: &'static str,
    stop: &Stop,
) -> Result<(recording::Recording<S>, Option<Failure>), Failure> {
    if let Some(vary) = &question.vary {
        return vary::ask(question, vary, length_flag, stop);
    }
    let prepared = Prepared::of(question, length_flag)?;
    let ran = run::ask(question, &prepared, stop)?;
    Ok((ran.recording(question, prepared.plan), ran.spoiled))
}

/// The flag for the recording's file.
const SAVE: &str = "--save";

/// Asks, shows the answer, and saves it. Then it does the rest, which decides the status.
fn answer<S: Printed>(
    args: &MeasureArgs,
    question: &schedule::Question<S>,
    stop: &Stop,
    rest: impl FnOnce(&recording::Recording<S>) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.save {
        output::ensure_writable(stop, &[(SAVE, file)], &[])?;
    }
    let (recording, spoiled) = ask(question, args.length_flag(), stop)?;
    let shown = Measurement {
        recording: &recording,
        facts: &facts(question),
        is_long: args.long,
    };
    crate::show::in_format(args.format, &shown)?;
    let status = rest(&recording)?;
    if let Some(file) = &args.save {
        output::file(stop, file, |out| json::write(out, &recording))?;
    }
    match spoiled {
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

/// What remarks need of the waiters of the machine that a question names.
fn facts<S: Schedule>(question: &schedule::Question<S>) -> Vec<Fact> {
    match question.on {
        #[cfg(feature = "sim")]
        Some(_) => facts_of::<punctual_lab::simulated::SimulatedOs>(),
        _ => facts_of::<Native>(),
    }
}

fn facts_of<M: Machine>() -> Vec<Fact> {
    M::waiters().iter().map(Fact::from).collect()
}

/// Asks simulated machines questions, one after the other.
#[cfg(feature = "sim")]
pub fn simulated_recordings(
    questions: &[punctual_lab::measure::Question],
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
        if let Some(statistic) = Figure::named(name) {
            return Ok(Self::Lateness(statistic, parse_duration(limit)?));
        }
        if let Some(counter) = COUNTERS.into_iter().find(|known| known.0 == name) {
            let count = limit
                .parse()
                .map_err(|_| format!("'{limit}' is not a number of times; write 0 or more"))?;
            return Ok(Self::Count(counter, count));
        }
        if name == PROCESSOR {
            return Ok(Self::ProcessorShare(parse_share(limit)?));
        }
        Err(format!(
            "there is no statistic '{name}'; there are {}, early, missed, {PROCESSOR}",
            Figure::NAMES
        ))
    }

    /// The measured value in words, if it is beyond the limit. Lateness counts per deadline, so
    /// that missed deadlines cannot make a machine look better.
    fn violation(self, series: &SeriesRecord) -> Option<String> {
        match self {
            Self::Lateness(figure, limit) => {
                let measured = Duration::from_nanos(figure.of(&series.per_deadline));
                let name = figure.name();
                (measured > limit)
                    .then(|| format!("{name} per deadline is {}", quantity::show(measured)))
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
