//! Saves a trace while it is recorded.

use punctual_command::failure::{Failure, complain};
use punctual_command::output::unwritten;
use punctual_data::file::{Growing, Place};
use punctual_trace::recording::{Head, RecordedWait, Writer};
use punctual_trace::tracefs::{Portion, Raw};
use std::io;
use std::path::{Path, PathBuf};

/// Where a trace is saved. If that fails, the trace goes on, and the failure is told at the end.
pub(super) struct Saver {
    name: PathBuf,
    state: Result<Writer<Growing>, Failure>,
}

impl Saver {
    /// Begins the file.
    pub(super) fn begin(name: &Path, head: &Head, raw: &Raw) -> Self {
        let file = Place::of(name).and_then(Growing::begin);
        let state = file.and_then(|file| Writer::begin(file, head, raw));
        let saver = Self {
            name: name.to_owned(),
            state: state.map_err(|error| unwritten(name, &error)),
        };
        saver.tell_failure();
        saver
    }

    pub(super) fn write(&mut self, portion: &Portion, waits: &[RecordedWait]) {
        let Ok(writer) = &mut self.state else {
            return;
        };
        let mut write = || -> io::Result<()> {
            writer.portion(portion)?;
            writer.waits(waits)
        };
        if let Err(error) = write() {
            // This removes what has been written: the disk may be full.
            self.state = Err(unwritten(&self.name, &error));
            self.tell_failure();
        }
    }

    fn tell_failure(&self) {
        if self.state.is_err() {
            complain(format_args!("the trace cannot be saved, and goes on"));
        }
    }

    /// Ends the file.
    pub(super) fn end(self, head: &Head) -> Result<(), Failure> {
        let ended = self.state?.end(head).and_then(Growing::complete);
        ended.map_err(|error| unwritten(&self.name, &error))
    }
}
