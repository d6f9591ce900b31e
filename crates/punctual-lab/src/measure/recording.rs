//! A measurement as versioned JSON: the environment, the question, and every series. Units are in
//! the names of the keys.

use super::{Plan, Question};
use crate::Environment;
use crate::confidence::Confidence;
use crate::machine::Unavailable;
use crate::nanos;
use crate::statistics::{Batch, Series};
use punctual::Error;
use punctual_data::distribution::Distribution;
use serde::{Deserialize, Serialize};

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.recording/4";

/// A measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The machine before the first wait.
    pub environment: Environment,
    /// The changes of the machine by the end of the last wait, in sentences.
    pub environment_changes: Vec<String>,
    /// The question.
    pub question: Question,
    /// What the question meant on this machine.
    pub plan: PlanRecord,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// Requested methods that this machine lacks.
    pub unavailable: Vec<Unavailable>,
    /// The results of each method; each method once.
    pub series: Vec<SeriesRecord>,
}

/// What the question meant on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// How many times each method was to wait.
    pub count: u64,
    /// Waits of each method before those, which were not counted.
    pub warm_up_count: u64,
    /// Waits of one method before the next had its turn.
    pub block_count: u64,
}

impl From<Plan> for PlanRecord {
    fn from(plan: Plan) -> Self {
        Self {
            count: plan.waits,
            warm_up_count: plan.warm_up(),
            block_count: plan.waits_per_block(),
        }
    }
}

/// The results of one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// Its name.
    pub method: String,
    /// How many times it waited.
    pub count: u64,
    /// Wake-ups before their deadline.
    pub early: u64,
    /// Deadlines that passed while the thread waited for an earlier one.
    pub missed: u64,
    /// The share of time for which the thread had a processor, from 0 to 1.
    pub processor_share: f64,
    /// How late each wake-up was.
    pub per_wake: Distribution,
    /// How late each deadline was served, including missed deadlines.
    pub per_deadline: Distribution,
    /// The part of each wake-up's lateness before the thread was ready to run; `None` if unknown.
    pub timer: Option<Distribution>,
    /// The part of each wake-up's lateness when it was ready but not running; `None` if unknown.
    pub queue: Option<Distribution>,
    /// The same in windows of time, in order.
    pub batches: Vec<BatchRecord>,
    /// How far these figures can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

/// The results of some consecutive turns of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchRecord {
    /// How late deadlines were served: pairs of a value in nanoseconds and how often it occurred,
    /// as in a [`SparseHistogram`](punctual_data::distribution::SparseHistogram).
    pub per_deadline_counts_by_ns: Vec<(u64, u64)>,
    /// Deadlines that passed while the thread waited for an earlier one.
    pub missed: u64,
    /// Time for which the thread had a processor.
    pub processor_ns: u64,
    /// How long it took.
    pub elapsed_ns: u64,
}

impl From<&Batch> for BatchRecord {
    fn from(batch: &Batch) -> Self {
        Self {
            per_deadline_counts_by_ns: batch.per_deadline.clone(),
            missed: batch.missed,
            processor_ns: nanos(batch.processor),
            elapsed_ns: nanos(batch.elapsed),
        }
    }
}

impl From<&Series> for SeriesRecord {
    fn from(series: &Series) -> Self {
        Self {
            method: series.method.clone(),
            count: series.per_wake.count(),
            early: series.early,
            missed: series.missed,
            processor_share: series.processor_share(),
            per_wake: Distribution::from(&series.per_wake),
            per_deadline: Distribution::from(&series.per_deadline),
            timer: series
                .split
                .as_ref()
                .map(|split| Distribution::from(&split.timer)),
            queue: series
                .split
                .as_ref()
                .map(|split| Distribution::from(&split.queue)),
            batches: series.batches.as_slice().iter().map(Into::into).collect(),
            confidence: None,
        }
    }
}

// Reads recordings from JSON.

#[derive(Deserialize)]
struct Header {
    schema: String,
}

impl Recording {
    /// Reads a recording from JSON.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input), with the line and column of the error, or with the
    /// unknown schema.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let invalid = |error| Error::invalid_input(format!("not a recording of Punctual: {error}"));
        let Header { schema } = serde_json::from_str(text).map_err(invalid)?;
        if schema != SCHEMA {
            return Err(Error::invalid_input(format!(
                "its schema is '{schema}', and this version of Punctual reads {SCHEMA}; it was \
                 written by another version, or is not a measurement"
            )));
        }
        serde_json::from_str(text).map_err(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECORDED: &str = include_str!("../../tests/recordings/idle.json");

    #[test]
    fn what_is_written_is_read_back() {
        let recording = Recording::from_json(RECORDED).unwrap();
        assert!(!recording.series.is_empty());
        let written = serde_json::to_string(&recording).unwrap();
        assert_eq!(Recording::from_json(&written).unwrap(), recording);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |text: &str| Recording::from_json(text).unwrap_err().to_string();
        assert!(error("{\"schema\": \"punctual.recording/999\"}").contains("/999"));
        assert!(error("{\"schema\": \"punctual.sweep/1\"}").contains("punctual.sweep/1"));
        assert!(error("{").contains("line 1"));
        let cut = &RECORDED[..RECORDED.len() / 2];
        assert!(error(cut).contains("line"));
    }

    proptest! {
        #[test]
        fn damaged_recordings_are_refused_or_read_but_never_a_panic(
            at in 0..RECORDED.len(),
            byte in 32_u8..127,
        ) {
            let mut damaged = RECORDED.as_bytes().to_vec();
            damaged[at] = byte;
            let _ = Recording::from_json(&String::from_utf8_lossy(&damaged));
        }
    }
}
