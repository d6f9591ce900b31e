//! Which open rule of Windows is true: the experiments that would tell, and what their recordings
//! exclude.
//!
//! The published measurements leave some rules open. A [`Hypothesis`] gives each of them a value. An
//! experiment is a question to `measure --for`. Its result is *predicted* by asking simulated machines that
//! follow the hypothesis. [`judge()`] says which hypotheses a recording excludes.
//!
//! Nothing is known of a stranger's machine. So a prediction is the results of several machines, and a
//! hypothesis is excluded only if the results of none of them agree with the recording.

mod hypothesis;
mod judge;
mod predict;
mod record;
mod sample;
mod version;

pub use hypothesis::{Hypothesis, OPEN, hypotheses, remaining};
pub use judge::{Exclusion, Judged, Judgement, judge};
pub use record::record;
pub use sample::{Difference, Side};
pub use version::{Unfit, subject};

use punctual::Error;
use punctual_lab::calls::{Lengths, Question, Recording, When};
use punctual_lab::conditions::Companion;
use punctual_lab::recording;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Questions of at most a minute on a real Windows: of two hundred, the three that together tell the
/// most pairs of hypotheses apart on Windows 10 2004. To choose them takes longer than a stranger waits.
pub fn experiments() -> [Question; 3] {
    let of = |calls: &[&str], millis| Question {
        waiters: calls.iter().map(|&call| call.to_owned()).collect(),
        ..Question::of(Lengths::of(vec![Duration::from_millis(millis)]))
    };
    let mut due = of(&["sleep"], 15);
    due.schedule.at = When::Random;
    let class = Question {
        request: Some(Duration::from_millis(2)),
        ..of(&["queue-once", "high-res"], 1)
    };
    let mut idle = of(&["queue-once"], 20);
    idle.conditions.with = vec![Companion::requester(Duration::from_millis(1))];
    [due, class, idle]
}

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

#[cfg(test)]
mod tests;
