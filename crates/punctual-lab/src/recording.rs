//! A measurement as versioned JSON: the environment, the question, and every series. Units are in
//! the names of the keys.

use crate::Environment;
use crate::machine::Unavailable;
use crate::schedule::{Question, Schedule};
use crate::waiters::Kind;
use punctual::Error;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.recording/5";

/// A measurement: waiters × a schedule × conditions × a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "S: Schedule")]
pub struct Recording<S: Schedule> {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// What the waiters were tried for.
    pub tried_for: Kind,
    /// The machine before the first wait.
    pub environment: Environment,
    /// The changes of the machine by the end of the last wait, in sentences.
    pub environment_changes: Vec<String>,
    /// The question.
    pub question: Question<S>,
    /// What the question meant on this machine.
    pub plan: S::PlanRecord,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// Requested waiters that this machine lacks.
    pub unavailable: Vec<Unavailable>,
    /// The results of each waiter. Where a condition is varied, they stand in `points`.
    pub series: Vec<S::Record>,
    /// What was found under each value of the varied condition.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point<S::Record>>,
}

/// What was found under one value of a condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point<R> {
    /// The value.
    pub value_ns: u64,
    /// The interval of the machine's timer under it; `None` where timers do not wait for ticks.
    pub interval_ns: Option<u64>,
    /// The results of each waiter.
    pub series: Vec<R>,
}

#[derive(Deserialize)]
struct Header {
    schema: String,
    #[serde(default)]
    points: Vec<IgnoredAny>,
    tried_for: Option<Kind>,
    punctual_version: Option<String>,
}

impl<S: Schedule> Recording<S> {
    /// What was found on a machine, in a run that had everything and was not stopped.
    pub fn of(
        question: &Question<S>,
        plan: S::Plan,
        environment: &Environment,
        found: &[(String, Option<S::Series>)],
    ) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            tried_for: S::KIND,
            environment: environment.clone(),
            environment_changes: Vec::new(),
            question: question.clone(),
            plan: plan.into(),
            interrupted: false,
            unavailable: Vec::new(),
            series: S::records(question, found),
            points: Vec::new(),
        }
    }

    /// What was found under one value, as the recording of a measurement under no other.
    #[must_use]
    pub fn at(&self, point: &Point<S::Record>) -> Self {
        Self {
            question: self.question.at(Duration::from_nanos(point.value_ns), 1),
            series: point.series.clone(),
            points: Vec::new(),
            ..self.clone()
        }
    }

    /// All series of all values in one list.
    #[must_use]
    pub fn flat(&self) -> Self {
        let series = self.points.iter().flat_map(|point| &point.series);
        Self {
            series: series.cloned().collect(),
            points: Vec::new(),
            ..self.clone()
        }
    }

    /// Reads a recording in which nothing is varied from JSON.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input), with the line and column of the error, with the version that wrote it, or with
    /// what it is a recording of.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let invalid = |error| Error::invalid_input(format!("not a recording of Punctual: {error}"));
        let header: Header = serde_json::from_str(text).map_err(invalid)?;
        if header.schema != SCHEMA {
            let version = header
                .punctual_version
                .map(|version| format!(" by {version}"));
            return Err(Error::invalid_input(format!(
                "its schema is '{}', written{}, and this version of Punctual reads {SCHEMA}; it was \
                 written by another version, or is not a measurement",
                header.schema,
                version.unwrap_or_default()
            )));
        }
        match header.tried_for {
            Some(kind) if kind != S::KIND => Err(Error::invalid_input(format!(
                "each of its waiters {kind}, and here it must be one that {}",
                S::KIND
            ))),
            _ if !header.points.is_empty() => Err(Error::invalid_input(
                "a condition is varied in it, and here it must have one value".to_owned(),
            )),
            _ => serde_json::from_str(text).map_err(invalid),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Deadlines;
    use proptest::prelude::*;

    const RECORDED: &str = include_str!("../tests/recordings/idle.json");

    #[test]
    fn what_is_written_is_read_back() {
        let recording = Recording::<Deadlines>::from_json(RECORDED).unwrap();
        assert!(!recording.series.is_empty());
        let written = serde_json::to_string(&recording).unwrap();
        assert_eq!(Recording::from_json(&written).unwrap(), recording);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |text: &str| {
            Recording::<Deadlines>::from_json(text)
                .unwrap_err()
                .to_string()
        };
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
            let _ = Recording::<Deadlines>::from_json(&String::from_utf8_lossy(&damaged));
        }
    }
}
