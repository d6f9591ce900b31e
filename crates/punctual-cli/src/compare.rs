//! `punctual compare`: reads recordings or explanations, compares each with the first, and shows the
//! results.

mod flags;
mod show;

pub use flags::CompareArgs;

use crate::explain::Explanation;
#[cfg(feature = "sim")]
use crate::measure;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_command::stop::Stop;
use punctual_data::escape;
use punctual_data::means::CONFIDENCE;
use punctual_lab::compare::{self, Comparison, MethodComparison, Unjudged};
use punctual_lab::confidence::Confidence;
use punctual_lab::measure::Recording;
use punctual_trace::Report;
use punctual_trace::report::comparison as explanations;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

/// What the schemas of explanations begin with.
const EXPLANATIONS: &str = "punctual.explanation/";

/// The schema of `--json`.
const SCHEMA: &str = "punctual.comparison/4";

/// A recording with its name in the output.
struct Named {
    name: String,
    recording: Recording,
}

/// A comparison with the names of both sides.
pub struct NamedComparison {
    pub baseline: String,
    pub other: String,
    pub comparison: Comparison,
    /// How far both sides' figures can be trusted if they are predictions, by method.
    pub trusted: [Trusted; 2],
}

/// How far the figures of each method can be trusted; none of a real machine.
pub type Trusted = BTreeMap<String, Confidence>;

/// All comparisons with one baseline.
pub struct Comparisons {
    all: Vec<NamedComparison>,
    /// Whether the text has every statistic.
    is_long: bool,
}

impl Serialize for Comparisons {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = json!({
            "schema": SCHEMA,
            "confidence": CONFIDENCE,
            "comparisons": self.all.iter().map(to_json).collect::<Vec<_>>(),
        });
        value.serialize(serializer)
    }
}

/// Runs the command.
pub fn compare(args: &CompareArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match args.on.as_slice() {
        [] => compare_files(args)?,
        [alone] => {
            let problem = format!("there is nothing to compare {alone} with; give --on once more");
            return Err(Failure::flag("--on", problem));
        }
        _ => compare_recordings(args, &simulated(args, stop)?)?,
    }
    Ok(stop.status())
}

/// Compares recordings, or explanations if the first file is one.
fn compare_files(args: &CompareArgs) -> Result<(), Failure> {
    let files: Vec<_> = args
        .files
        .iter()
        .map(|file| text(file))
        .collect::<Result<_, _>>()?;
    if !files
        .first()
        .is_some_and(|first| is_explanation(&first.text))
    {
        let recordings: Vec<_> = files.iter().map(recording).collect::<Result<_, _>>()?;
        return compare_recordings(args, &recordings);
    }
    let read: Vec<_> = files.iter().map(explanation).collect::<Result<_, _>>()?;
    compare_explanations(args, &read)
}

fn compare_recordings(args: &CompareArgs, recordings: &[Named]) -> Result<(), Failure> {
    let all = against_first(recordings);
    for found in &all {
        let differences = &found.comparison.differences;
        ensure_alike(args, (&found.baseline, &found.other), differences)?;
    }
    let is_long = args.long;
    crate::show::in_format(args.format, &Comparisons { all, is_long })
}

#[cfg(feature = "sim")]
fn simulated(args: &CompareArgs, stop: &Stop) -> Result<Vec<Named>, Failure> {
    let recordings = measure::simulated_recordings(&args.questions(), stop)?;
    let named = args.on.iter().zip(recordings);
    Ok(named
        .map(|(machine, recording)| Named {
            name: machine.to_string(),
            recording,
        })
        .collect())
}

/// In a build without simulated machines none can be given.
#[cfg(not(feature = "sim"))]
fn simulated(_: &CompareArgs, _: &Stop) -> Result<Vec<Named>, Failure> {
    Ok(Vec::new())
}

/// A file that was read.
struct Content<'a> {
    file: &'a Path,
    text: String,
}

fn text(file: &Path) -> Result<Content<'_>, Failure> {
    let cannot = |error| wrong(file, error, "measure");
    let text = input::text(file, input::RECORDING).map_err(cannot)?;
    Ok(Content { file, text })
}

/// Whether a document says that it is an explanation, of whatever version.
fn is_explanation(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Header {
        schema: String,
    }
    let header: Result<Header, _> = serde_json::from_str(text);
    header.is_ok_and(|header| header.schema.starts_with(EXPLANATIONS))
}

fn recording(content: &Content<'_>) -> Result<Named, Failure> {
    let recording = Recording::from_json(&content.text).map_err(|error| {
        let error = match is_explanation(&content.text) {
            true => "it is an explanation, and the first file is a recording".to_owned(),
            false => error.to_string(),
        };
        wrong(content.file, error, "measure")
    })?;
    let name = content.file.display().to_string();
    Ok(Named { name, recording })
}

fn explanation(content: &Content<'_>) -> Result<NamedExplanation, Failure> {
    let explanation = Explanation::from_json(&content.text)
        .map_err(|error| wrong(content.file, error, "explain"))?;
    let name = content.file.display().to_string();
    Ok(NamedExplanation { name, explanation })
}

fn wrong(file: &Path, problem: impl Display, command: &str) -> Failure {
    let shown = escape::path(file);
    Failure::Usage(format!(
        "{shown}: {problem}; write one with 'punctual {command} --json >FILE'"
    ))
}

fn against_first(recordings: &[Named]) -> Vec<NamedComparison> {
    let Some((baseline, others)) = recordings.split_first() else {
        return Vec::new();
    };
    let against_baseline = |other: &Named| NamedComparison {
        baseline: baseline.name.clone(),
        other: other.name.clone(),
        comparison: compare::compare(&baseline.recording, &other.recording),
        trusted: [baseline, other].map(|side| trusted(&side.recording)),
    };
    others.iter().map(against_baseline).collect()
}

fn trusted(recording: &Recording) -> Trusted {
    let said = recording.series.iter().filter_map(|series| {
        let confidence = series.confidence.clone()?;
        Some((series.method.clone(), confidence))
    });
    said.collect()
}

/// Refuses other conditions if it is asked to.
fn ensure_alike(
    args: &CompareArgs,
    (baseline, other): (&str, &str),
    differences: &[String],
) -> Result<(), Failure> {
    if !args.strict || differences.is_empty() {
        return Ok(());
    }
    let differences = differences.join("; ");
    Err(Failure::Usage(format!(
        "{other} was not made under the conditions of {baseline}: {differences}"
    )))
}

fn to_json(named: &NamedComparison) -> Value {
    let comparison = &named.comparison;
    json!({
        "baseline": named.baseline,
        "other": named.other,
        "differences": comparison.differences,
        "unmatched": comparison.unmatched,
        "methods": comparison.methods.iter().map(|method| method_json(named, method)).collect::<Vec<_>>(),
    })
}

fn method_json(named: &NamedComparison, method: &MethodComparison) -> Value {
    let [baseline, other] = &named.trusted;
    let statistics: Vec<_> = method
        .statistics
        .iter()
        .map(|found| {
            json!({
                "statistic": found.statistic.name(),
                "unit": if found.statistic.is_time() { "ns" } else { "share" },
                "baseline": found.baseline,
                "other": found.other,
                "ratio": found.ratio,
                "interval": found.interval.map(|(low, high)| [low, high]),
                "verdict": found.verdict().name(),
            })
        })
        .collect();
    json!({
        "method": method.method,
        "statistics": statistics,
        "unjudged_because": method.unjudged.map(reason),
        "confidence_of_baseline": baseline.get(&method.method),
        "confidence_of_other": other.get(&method.method),
    })
}

/// Why a method is not judged.
pub fn reason(unjudged: Unjudged) -> &'static str {
    match unjudged {
        Unjudged::NoBatches => "a recording is from an older version without batches",
        Unjudged::TooShort => "a recording is too short to show its own variation (raise --count)",
    }
}

/// An explanation with its name in the output.
struct NamedExplanation {
    name: String,
    explanation: Explanation,
}

impl NamedExplanation {
    fn report(&self) -> (&str, &Report) {
        (&self.name, &self.explanation.report)
    }
}

/// Compares each with the first, and shows the results.
fn compare_explanations(
    args: &CompareArgs,
    explanations: &[NamedExplanation],
) -> Result<(), Failure> {
    let Some((baseline, others)) = explanations.split_first() else {
        return Ok(());
    };
    let comparisons: Vec<_> = others
        .iter()
        .map(|other| {
            let differences = differences(&baseline.explanation, &other.explanation);
            explanations::compare(baseline.report(), other.report(), differences)
        })
        .collect();
    for found in &comparisons {
        ensure_alike(args, (&found.baseline, &found.other), &found.differences)?;
    }
    let comparisons = explanations::Comparisons {
        schema: SCHEMA,
        confidence: CONFIDENCE,
        comparisons,
        is_long: args.long,
    };
    crate::show::in_format(args.format, &comparisons)
}

fn differences(before: &Explanation, after: &Explanation) -> Vec<String> {
    let machines = (before.machine(), after.machine());
    let mut differences = Vec::new();
    if before.subject != after.subject {
        let (before, after) = (&before.subject, &after.subject);
        differences.push(format!(
            "what was explained was '{before}' and became '{after}'"
        ));
    }
    if machines.0.system != machines.1.system {
        let name = |system: &Option<String>| system.clone().unwrap_or_else(|| "unknown".to_owned());
        let (before, after) = (name(&machines.0.system), name(&machines.1.system));
        differences.push(format!("the system was {before} and became {after}"));
    }
    differences.extend(machines.0.differences(&machines.1));
    differences
}
