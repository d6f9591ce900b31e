//! Explained wake-ups with everything that the reader needs, as JSON.

use crate::show::slice_in_words;
use punctual_data::quantity;
use punctual_lab::Environment;
use punctual_lab::conditions::{Load, Priority};
use punctual_lab::measure::Question;
use punctual_trace::Report;
use punctual_trace::advice::System;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.explanation/6";

/// The findings about wake-ups from a trace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Explanation {
    pub schema: String,
    pub punctual_version: String,
    /// The question of the explained loop; none for other programs.
    pub question: Option<Question>,
    /// What was explained, in words.
    pub subject: String,
    /// The machine on which it was traced, in the words of the version that traced it.
    pub environment: Value,
    /// The changes of the machine by the end, a sentence each.
    pub environment_changes: Vec<String>,
    /// Whether the trace ended because it was full.
    pub was_full: bool,
    /// Whether a signal ended it early.
    #[serde(default)]
    pub interrupted: bool,
    /// The system whose advice applies.
    pub system: System,
    /// Notes for the reader, a sentence each.
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub report: Report,
    /// Whether its text has everything.
    #[serde(skip)]
    pub is_long: bool,
}

/// Why a document is not read, and which version reads it.
pub fn of_another_version(schema: &str, version: Option<&Value>, read: &str) -> String {
    let version = version
        .and_then(Value::as_str)
        .unwrap_or("of an unknown version");
    format!(
        "punctual {version} wrote it, as '{schema}'; this version, {}, reads {read}",
        env!("CARGO_PKG_VERSION")
    )
}

impl Explanation {
    /// Reads what `explain --json` printed.
    ///
    /// # Errors
    /// A sentence, if it is something else or of another version.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match value.get("schema").and_then(Value::as_str) {
            Some(SCHEMA) if value.get("refused").is_some() => {
                Err("it was made without the kernel's trace, and so has no causes".to_owned())
            }
            Some(SCHEMA) => serde_json::from_value(value).map_err(|error| error.to_string()),
            Some(other) => Err(of_another_version(
                other,
                value.get("punctual_version"),
                SCHEMA,
            )),
            None => Err("it is no explanation: it has no schema".to_owned()),
        }
    }

    /// The machine, as far as this version knows the facts. If another version's recording has
    /// different facts, there are none.
    pub fn machine(&self) -> Environment {
        serde_json::from_value(self.environment.clone()).unwrap_or_default()
    }
}

/// The question in words.
pub(super) fn subject(question: &Question) -> String {
    let period = quantity::show(question.schedule.period.to_duration());
    let method = question.waiters.join(", ");
    let conditions = &question.conditions;
    let mut subject = format!("a loop of {period} with {method}");
    if conditions.load != Load::None {
        subject += &format!(", load {}", conditions.load);
    }
    if conditions.priority != Priority::Normal {
        subject += &format!(", priority {}", conditions.priority);
    }
    if let Some(processor) = conditions.pin {
        subject += &format!(", pinned to processor {processor}");
    }
    if let Some(slice) = conditions.slices.first() {
        subject += &format!(", slice {}", slice_in_words(*slice));
    }
    if let Some(interval) = question.request {
        subject += &format!(", asking for {}", quantity::show(interval));
    }
    for companion in &conditions.with {
        subject += &format!(", with {companion}");
    }
    if let Some(simulated) = &question.on {
        subject += &format!(", on {}, simulated", simulated.machine);
    }
    subject
}
