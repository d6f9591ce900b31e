//! Saves a trace while it is recorded.

use crate::recording::{Head, RecordedWait, Writer};
use crate::tracefs::{Portion, Raw};
use punctual_data::file::{Growing, Place};
use std::io;
use std::path::{Path, PathBuf};

/// Something that was to be saved and is not.
#[derive(Debug)]
pub struct Unsaved {
    /// The file; none of late wake-ups, which have many.
    pub file: Option<PathBuf>,
    /// Why.
    pub error: io::Error,
}

/// Where a trace is saved. If that fails, the trace goes on, and the failure is told at once and at the end.
#[derive(Debug)]
pub(super) struct Saver {
    file: PathBuf,
    state: io::Result<Writer<Growing>>,
    has_told: bool,
}

impl Saver {
    /// Begins the file.
    pub(super) fn begin(file: &Path, head: &Head, raw: &Raw) -> Self {
        let growing = Place::of(file).and_then(Growing::begin);
        Self {
            file: file.to_owned(),
            state: growing.and_then(|growing| Writer::begin(growing, head, raw)),
            has_told: false,
        }
    }

    /// Writes a portion, and says once if that fails.
    pub(super) fn write(
        &mut self,
        portion: &Portion,
        waits: &[RecordedWait],
        said: &mut Vec<String>,
    ) {
        if let Ok(writer) = &mut self.state {
            let written = writer.portion(portion).and_then(|()| writer.waits(waits));
            if let Err(error) = written {
                // This removes what has been written: the disk may be full.
                self.state = Err(error);
            }
        }
        if self.state.is_err() && !self.has_told {
            self.has_told = true;
            said.push("the trace cannot be saved, and goes on".to_owned());
        }
    }

    /// Ends the file.
    pub(super) fn end(self, head: &Head) -> Result<(), Unsaved> {
        let ended = self.state.and_then(|writer| writer.end(head));
        let ended = ended.and_then(Growing::complete);
        ended.map_err(|error| Unsaved {
            file: Some(self.file),
            error,
        })
    }
}
