//! What is recorded of a program besides its waits: where its frames begin.

use super::ExplainArgs;
use punctual_command::failure::Failure;
use punctual_data::escape;
use punctual_trace::{Capture, Place};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What else to record.
#[derive(Debug, Default)]
pub(super) struct Extras {
    frame: Option<Place>,
    marker: Option<String>,
}

impl Extras {
    /// Finds the function that begins a frame: in the file that is named with it, or in this program.
    pub(super) fn of(
        args: &ExplainArgs,
        program: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<Self, Failure> {
        let place = |frame: &str| {
            let (file, function) = match Place::split(frame) {
                Some((file, function)) => (PathBuf::from(file), function),
                None => (program()?, frame),
            };
            Place::of_function(&file, function).map_err(|error| {
                let problem = format!("{}: {error}", escape::path(&file));
                Failure::flag("--frame", problem)
            })
        };
        Ok(Self {
            frame: args.frame.as_deref().map(place).transpose()?,
            marker: args.marker.clone(),
        })
    }

    pub(super) fn record(&self, capture: &mut Capture) -> Result<(), punctual::Error> {
        if let Some(place) = &self.frame {
            capture.probe(place)?;
        }
        if let Some(marker) = &self.marker {
            capture.expect_marker(marker)?;
        }
        Ok(())
    }
}

/// The file that runs when a command is given.
pub(super) fn of_command(command: &OsStr) -> Result<PathBuf, Failure> {
    if Path::new(command).components().count() > 1 {
        return Ok(PathBuf::from(command));
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&folders).map(|folder| folder.join(command));
    files.find(|file| file.is_file()).ok_or_else(|| {
        let problem = format!("there is no program {}", escape::os(command));
        Failure::flag("--frame", problem)
    })
}
