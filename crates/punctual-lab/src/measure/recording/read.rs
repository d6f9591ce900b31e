//! Reads recordings from JSON.

use super::{Recording, SCHEMA};
use punctual::Error;
use serde::Deserialize;

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

    const RECORDED: &str = include_str!("../../../tests/recordings/idle.json");

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
