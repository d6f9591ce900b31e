//! `late.json`: the list as a document with a schema.

use super::LateWakeUp;
use serde::{Deserialize, Serialize};

/// The name and the version of the format.
pub const SCHEMA: &str = "punctual.late-wake-ups/1";

/// What the file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Document {
    schema: String,
    /// The latest last.
    pub(super) late_wake_ups: Vec<LateWakeUp>,
}

impl Document {
    pub(super) fn of(list: &[LateWakeUp]) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            late_wake_ups: list.to_vec(),
        }
    }

    /// Understands a document, or says why not.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let document: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match document.schema == SCHEMA {
            true => Ok(document),
            false => Err(format!(
                "its schema is {:?}, and this version reads {SCHEMA:?}",
                document.schema
            )),
        }
    }

    pub(super) fn to_json(&self) -> String {
        // Strings, numbers and lists of them: nothing that JSON could not say.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
