//! What calls took, as versioned JSON. Units are in the names of the keys.

use super::{Cluster, Question, Taken, clusters};
use crate::confidence::Confidence;
use crate::machine::Unavailable;
use crate::{Environment, nanos};
use punctual::Error;
use punctual_data::quantity::rounded;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.sleep/1";

/// The result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The machine before the first call.
    pub environment: Environment,
    /// The changes of the machine by the end of the last call, in sentences.
    pub environment_changes: Vec<String>,
    /// The question.
    pub question: Question,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// Requested calls that this machine lacks.
    pub unavailable: Vec<Unavailable>,
    /// For each call, the results of each length.
    pub series: Vec<SeriesRecord>,
}

/// What one call took with one length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// The name of the call.
    pub call: String,
    /// How long it was to wait.
    pub length_ns: u64,
    /// What the system was asked for: whole units of the call.
    pub asked_ns: u64,
    /// How long each call took, in order.
    pub durations_ns: Vec<u64>,
    /// Their mean; `None` if there are none.
    pub mean_ns: Option<u64>,
    /// Their spread: the standard deviation.
    pub spread_ns: Option<u64>,
    /// The shortest.
    pub min_ns: Option<u64>,
    /// The longest.
    pub max_ns: Option<u64>,
    /// How many were shorter than what the system was asked for.
    pub early: u64,
    /// The values near which they cluster, ascending.
    pub clusters: Vec<Cluster>,
    /// Why there are no more, if the system refused to wait.
    pub failed: Option<String>,
    /// How far the mean can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl From<&Taken> for SeriesRecord {
    fn from(taken: &Taken) -> Self {
        let all = taken.durations_ns.as_slice();
        let asked_ns = nanos(taken.asked);
        Self {
            call: taken.call.clone(),
            length_ns: nanos(taken.length),
            asked_ns,
            mean_ns: mean(all).map(rounded),
            spread_ns: spread(all).map(rounded),
            min_ns: all.iter().min().copied(),
            max_ns: all.iter().max().copied(),
            early: all.iter().filter(|&&ns| ns < asked_ns).count() as u64,
            clusters: clusters(all),
            durations_ns: all.to_vec(),
            failed: taken.failed.clone(),
            confidence: None,
        }
    }
}

fn mean(durations_ns: &[u64]) -> Option<f64> {
    let sum: f64 = durations_ns.iter().map(|&ns| ns as f64).sum();
    (!durations_ns.is_empty()).then(|| sum / durations_ns.len() as f64)
}

fn spread(durations_ns: &[u64]) -> Option<f64> {
    let mean = mean(durations_ns)?;
    let squares = durations_ns.iter().map(|&ns| (ns as f64 - mean).powi(2));
    Some((squares.sum::<f64>() / durations_ns.len() as f64).sqrt())
}

#[derive(Deserialize)]
struct Header {
    schema: String,
}

impl Recording {
    /// What calls took on a machine, in a run that had everything and was not stopped.
    pub fn of<'a>(
        question: &Question,
        environment: &Environment,
        taken: impl Iterator<Item = &'a Taken>,
    ) -> Self {
        let record = |taken: &Taken| {
            let record = SeriesRecord::from(taken);
            let mean = record.mean_ns.map(Duration::from_nanos);
            let waits = question.waits(taken.length);
            SeriesRecord {
                confidence: mean.and_then(|mean| waits.of_call(&taken.call, mean)),
                ..record
            }
        };
        Self {
            schema: SCHEMA.to_owned(),
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            environment: environment.clone(),
            environment_changes: Vec::new(),
            question: question.clone(),
            interrupted: false,
            unavailable: Vec::new(),
            series: taken.map(record).collect(),
        }
    }

    /// Reads a recording from JSON.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input), with the line and column of the error, or with the
    /// unknown schema.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let invalid =
            |error| Error::invalid_input(format!("not a recording of 'punctual sleep': {error}"));
        let Header { schema } = serde_json::from_str(text).map_err(invalid)?;
        if schema != SCHEMA {
            return Err(Error::invalid_input(format!(
                "its schema is '{schema}', and this version of Punctual reads {SCHEMA} here; it was \
                 written by another version, or by another command than 'punctual sleep'"
            )));
        }
        serde_json::from_str(text).map_err(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn recording() -> Recording {
        let taken = Taken {
            call: "sleep".to_owned(),
            length: Duration::from_micros(500),
            asked: Duration::from_millis(1),
            durations_ns: vec![1_952_000, 15_625_000, 999_000, 1_953_000],
            failed: Some("refused".to_owned()),
        };
        Recording {
            schema: SCHEMA.to_owned(),
            punctual_version: "0".to_owned(),
            environment: Environment::default(),
            environment_changes: Vec::new(),
            question: Question::of(vec![Duration::from_micros(500)]),
            interrupted: true,
            unavailable: Vec::new(),
            series: vec![SeriesRecord::from(&taken)],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let recording = recording();
        let written = serde_json::to_string(&recording).unwrap();
        assert_eq!(Recording::from_json(&written).unwrap(), recording);
    }

    #[test]
    fn the_figures_are_those_of_the_durations() {
        let series = recording().series.remove(0);
        assert_eq!(series.mean_ns, Some(5_132_250));
        assert_eq!(series.spread_ns, Some(6_070_486));
        assert_eq!(
            (series.min_ns, series.max_ns),
            (Some(999_000), Some(15_625_000))
        );
        assert_eq!(series.early, 1);
        assert_eq!(series.clusters.len(), 3);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |text: &str| Recording::from_json(text).unwrap_err().to_string();
        assert!(error("{\"schema\": \"punctual.recording/3\"}").contains("'punctual sleep'"));
        assert!(error("{").contains("line 1"));
    }
}
