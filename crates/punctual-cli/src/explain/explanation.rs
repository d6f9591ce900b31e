//! Explained wake-ups with all that their reader has to know, as JSON has them.

use punctual_lab::Environment;
use punctual_lab::measure::Question;
use punctual_trace::Report;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.explanation/2";

/// What was found out about wake-ups from a trace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Explanation {
    pub schema: String,
    pub punctual_version: String,
    /// The loop that was explained; none for programs that know nothing of us.
    pub question: Option<Question>,
    /// What was explained, in words.
    pub subject: String,
    /// Where it was traced, in the words of the version that did.
    pub environment: Value,
    /// What was different about the machine at the end, a sentence each.
    pub environment_changes: Vec<String>,
    /// Whether the trace was ended because it held as much as it may.
    pub was_full: bool,
    /// Whose advice applies.
    pub system: System,
    /// What must be known to read it, a sentence each.
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub report: Report,
}

/// Whose wake-ups they are, and whose advice applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum System {
    Linux,
    Windows,
}

impl Explanation {
    /// The machine, as far as this version knows the facts: what another version recorded may lack
    /// some, or have others, and then there are none.
    pub fn machine(&self) -> Environment {
        serde_json::from_value(self.environment.clone()).unwrap_or_default()
    }
}
