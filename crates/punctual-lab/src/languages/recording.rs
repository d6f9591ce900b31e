//! The table as versioned JSON. Units are in the names of the keys.

use super::Question;
use crate::confidence::Confidence;
#[cfg(feature = "sim")]
use punctual_data::quantity::rounded;
use serde::{Deserialize, Serialize};

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.languages/1";

/// The table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The question, with its machines in the order of the cells.
    pub question: Question,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// A row per persona, in the order of the question.
    pub rows: Vec<Row>,
}

/// A persona on every machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub persona: String,
    /// What people call it.
    pub label: String,
    /// The language or library, what a program calls, and the versions.
    pub about: [String; 3],
    /// Whether its row was read in the runtime's source.
    pub checked: bool,
    /// The call that it makes, and its requests for a timer interval, in words.
    pub call: String,
    /// The same.
    pub request: String,
    /// A cell per machine; `None` if the runtime does not run there, or if nothing was simulated
    /// before a stop.
    pub cells: Vec<Option<Cell>>,
}

/// What the waits took on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The number of waits.
    pub count: u64,
    /// The mean.
    pub mean_ns: u64,
    /// The standard deviation.
    pub deviation_ns: u64,
    /// The shortest.
    pub min_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// How far the mean can be trusted.
    pub confidence: Confidence,
}

#[cfg(feature = "sim")]
impl Cell {
    /// Of what the waits took, in nanoseconds; `None` if there were none.
    pub(super) fn of(durations_ns: &[u64], confidence: Confidence) -> Option<Self> {
        let (min_ns, max_ns) = (*durations_ns.iter().min()?, *durations_ns.iter().max()?);
        let count = durations_ns.len() as f64;
        let mean = durations_ns.iter().map(|&nanos| nanos as f64).sum::<f64>() / count;
        let squares = durations_ns
            .iter()
            .map(|&nanos| (nanos as f64 - mean).powi(2));
        let deviation = (squares.sum::<f64>() / count).sqrt();
        Some(Self {
            count: durations_ns.len() as u64,
            mean_ns: rounded(mean),
            deviation_ns: rounded(deviation),
            min_ns,
            max_ns,
            confidence,
        })
    }
}
