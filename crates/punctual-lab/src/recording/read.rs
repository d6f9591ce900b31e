//! Recordings that were written down before, by this version or an older one.

use super::{Recording, SCHEMA};
use punctual::Error;
use serde::Deserialize;

/// What older versions wrote, and this one still reads: what they lack is empty.
const OLDER_SCHEMAS: [&str; 1] = ["punctual.recording/1"];

#[derive(Deserialize)]
struct Header {
    schema: String,
}

impl Recording {
    /// Reads a recording as JSON, of this version's schema or an older one.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input), with the line and column of what is wrong, or the
    /// schema that is not known.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let invalid = |error| Error::invalid_input(format!("not a recording of Punctual: {error}"));
        let Header { schema } = serde_json::from_str(text).map_err(invalid)?;
        if schema != SCHEMA && !OLDER_SCHEMAS.contains(&schema.as_str()) {
            return Err(Error::invalid_input(format!(
                "its schema is '{schema}', and this version of Punctual reads {} and {SCHEMA}; it \
                 may have been written by a newer one, or be no measurement",
                OLDER_SCHEMAS.join(", ")
            )));
        }
        serde_json::from_str(text).map_err(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As the version that wrote this schema wrote it.
    const OF_SCHEMA_1: &str = include_str!("../../tests/recordings/schema-1.json");

    #[test]
    fn a_recording_of_the_first_schema_is_still_read() {
        let recording = Recording::from_json(OF_SCHEMA_1).unwrap();
        assert_eq!(recording.schema, "punctual.recording/1");
        assert!(!recording.series.is_empty());
        let mut series = recording.series.iter();
        assert!(series.all(|series| series.batches.is_empty()));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut recording = Recording::from_json(OF_SCHEMA_1).unwrap();
        recording.schema = SCHEMA.to_owned();
        let written = serde_json::to_string(&recording).unwrap();
        assert_eq!(Recording::from_json(&written).unwrap(), recording);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |text: &str| Recording::from_json(text).unwrap_err().to_string();
        assert!(error("{\"schema\": \"punctual.recording/999\"}").contains("/999"));
        assert!(error("{\"schema\": \"punctual.sweep/1\"}").contains("punctual.sweep/1"));
        assert!(error("{").contains("line 1"));
        let cut = &OF_SCHEMA_1[..OF_SCHEMA_1.len() / 2];
        assert!(error(cut).contains("line"));
    }

    proptest! {
        #[test]
        fn damaged_recordings_are_refused_or_read_but_never_a_panic(
            at in 0..OF_SCHEMA_1.len(),
            byte in 32_u8..127,
        ) {
            let mut damaged = OF_SCHEMA_1.as_bytes().to_vec();
            damaged[at] = byte;
            let _ = Recording::from_json(&String::from_utf8_lossy(&damaged));
        }
    }
}
