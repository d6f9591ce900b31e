//! The recordings of several experiments in one file.

use punctual::Error;
use punctual_lab::calls::Recording;
use punctual_lab::recording;
use serde::{Deserialize, Serialize};

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.settle/1";

/// The recordings of one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made them.
    pub punctual_version: String,
    /// One per experiment.
    pub recordings: Vec<Recording>,
}

#[derive(Deserialize)]
struct Header {
    schema: String,
}

impl Saved {
    /// Reads a file of `settle`, or a recording of waits of given lengths.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input), with the line and column of the error, or with the
    /// unknown schema.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let invalid = |error| Error::invalid_input(format!("not a recording: {error}"));
        let Header { schema } = serde_json::from_str(text).map_err(invalid)?;
        match schema.as_str() {
            SCHEMA => serde_json::from_str(text).map_err(invalid),
            recording::SCHEMA => {
                let recording = Recording::from_json(text)?;
                Ok(Self {
                    schema: SCHEMA.to_owned(),
                    punctual_version: recording.punctual_version.clone(),
                    recordings: vec![recording],
                })
            }
            _ => Err(Error::invalid_input(format!(
                "its schema is '{schema}', which is of no experiment: those of 'punctual-evidence settle' \
                 and 'punctual measure --for' have {SCHEMA} and {}",
                recording::SCHEMA
            ))),
        }
    }
}
