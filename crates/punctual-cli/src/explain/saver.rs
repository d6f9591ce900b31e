//! Saves a trace while it is recorded.

use crate::failure::{Failure, complain};
use crate::output::Growing;
use punctual_trace::recording::{Head, RecordedWait, Writer};
use punctual_trace::tracefs::{Portion, Raw};
use std::io;
use std::path::Path;

/// Where a trace is saved. If that fails, the trace goes on, and the failure is told at the end.
pub(super) enum Saver {
    Saves(Writer<Growing>),
    Failed(Failure),
}

impl Saver {
    /// Begins the file.
    pub(super) fn begin(file: &Path, head: &Head, raw: &Raw) -> Self {
        match Growing::begin(file) {
            Err(failure) => Self::failed(failure),
            Ok(file) => match Writer::begin(file, head, raw) {
                Ok(writer) => Self::Saves(writer),
                Err(error) => Self::failed(Failure::run(format!("cannot save: {error}"))),
            },
        }
    }

    fn failed(failure: Failure) -> Self {
        complain(format_args!(
            "the trace can no longer be saved, and goes on"
        ));
        Self::Failed(failure)
    }

    pub(super) fn write(&mut self, portion: &Portion, waits: &[RecordedWait]) {
        let Self::Saves(writer) = self else {
            return;
        };
        let mut write = || -> io::Result<()> {
            writer.portion(portion)?;
            writer.waits(waits)
        };
        if let Err(error) = write() {
            // What has been written is removed: the disk may be full.
            *self = Self::failed(writer.output().unwritten(&error));
        }
    }

    /// Ends the file.
    pub(super) fn end(self, head: &Head) -> Result<(), Failure> {
        match self {
            Self::Failed(failure) => Err(failure),
            Self::Saves(writer) => {
                let ended = writer.end(head);
                let file = ended.map_err(|error| Failure::run(format!("cannot save: {error}")))?;
                file.complete()
            }
        }
    }
}
