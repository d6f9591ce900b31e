//! What calls took, as versioned JSON. Units are in the names of the keys.

use super::{Question, Taken};
use crate::machine::Unavailable;
use crate::{Environment, nanos};
use punctual::Error;
use serde::{Deserialize, Serialize};

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
    /// Why there are no more, if the system refused to wait.
    pub failed: Option<String>,
}

impl From<&Taken> for SeriesRecord {
    fn from(taken: &Taken) -> Self {
        Self {
            call: taken.call.clone(),
            length_ns: nanos(taken.length),
            asked_ns: nanos(taken.asked),
            durations_ns: taken.durations_ns.clone(),
            failed: taken.failed.clone(),
        }
    }
}

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
