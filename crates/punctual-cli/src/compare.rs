//! `punctual compare`: reads recordings, compares each with the first, and shows the results.

mod flags;
mod show;

pub use flags::CompareArgs;

use crate::escape;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::Stop;
#[cfg(feature = "sim")]
use crate::measure;
use crate::output;
use punctual_lab::compare::{self, CONFIDENCE, Comparison, MethodComparison, Unjudged, Verdict};
use punctual_lab::measure::Recording;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// The schema of `--json`.
const SCHEMA: &str = "punctual.comparison/1";

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
}

/// All comparisons with one baseline.
pub struct Comparisons(pub Vec<NamedComparison>);

impl Serialize for Comparisons {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = json!({
            "schema": SCHEMA,
            "confidence": CONFIDENCE,
            "comparisons": self.0.iter().map(to_json).collect::<Vec<_>>(),
        });
        value.serialize(serializer)
    }
}

/// Runs the command.
pub fn compare(args: &CompareArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let recordings = recordings(args, stop)?;
    let comparisons = against_first(&recordings);
    if args.strict {
        ensure_same_conditions(&comparisons)?;
    }
    output::show(args.format, &Comparisons(comparisons))?;
    Ok(stop.status())
}

fn recordings(args: &CompareArgs, stop: &Stop) -> Result<Vec<Named>, Failure> {
    match args.on.as_slice() {
        [] => args.files.iter().map(|file| read(file)).collect(),
        [alone] => {
            let problem = format!("there is nothing to compare {alone} with; give --on once more");
            Err(Failure::flag("--on", problem))
        }
        _ => simulated(args, stop),
    }
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

fn read(file: &Path) -> Result<Named, Failure> {
    let shown = escape::path(file);
    let text = input::text(file, input::RECORDING)
        .map_err(|error| Failure::run(format!("cannot read {shown}: {error}")))?;
    let recording = Recording::from_json(&text).map_err(|error| {
        Failure::Usage(format!(
            "{shown}: {error}; write one with 'punctual measure --json >FILE'"
        ))
    })?;
    let name = file.display().to_string();
    Ok(Named { name, recording })
}

fn against_first(recordings: &[Named]) -> Vec<NamedComparison> {
    let Some((baseline, others)) = recordings.split_first() else {
        return Vec::new();
    };
    let against_baseline = |other: &Named| NamedComparison {
        baseline: baseline.name.clone(),
        other: other.name.clone(),
        comparison: compare::compare(&baseline.recording, &other.recording),
    };
    others.iter().map(against_baseline).collect()
}

fn ensure_same_conditions(comparisons: &[NamedComparison]) -> Result<(), Failure> {
    let differs = |found: &&NamedComparison| !found.comparison.differences.is_empty();
    match comparisons.iter().find(differs) {
        None => Ok(()),
        Some(found) => Err(Failure::Usage(format!(
            "{} was not made under the conditions of {}: {}",
            found.other,
            found.baseline,
            found.comparison.differences.join("; ")
        ))),
    }
}

fn to_json(named: &NamedComparison) -> Value {
    let comparison = &named.comparison;
    json!({
        "baseline": named.baseline,
        "other": named.other,
        "differences": comparison.differences,
        "unmatched": comparison.unmatched,
        "methods": comparison.methods.iter().map(method_json).collect::<Vec<_>>(),
    })
}

fn method_json(method: &MethodComparison) -> Value {
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
                "verdict": verdict(found.verdict()),
            })
        })
        .collect();
    json!({
        "method": method.method,
        "statistics": statistics,
        "unjudged_because": method.unjudged.map(reason),
    })
}

/// A verdict in a word or two.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Lower => "lower",
        Verdict::Higher => "higher",
        Verdict::NoChange => "no change",
        Verdict::Unjudged => "not judged",
    }
}

/// Why a method is not judged.
pub fn reason(unjudged: Unjudged) -> &'static str {
    match unjudged {
        Unjudged::NoBatches => "a recording is from an older version without batches",
        Unjudged::TooShort => "a recording is too short to show its own variation (raise --count)",
    }
}
