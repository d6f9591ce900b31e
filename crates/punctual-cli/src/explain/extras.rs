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
        let frame = args.frame.as_deref().map(|frame| place(frame, program));
        Ok(Self {
            frame: frame.transpose()?,
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

fn place(
    frame: &str,
    program: impl FnOnce() -> Result<PathBuf, Failure>,
) -> Result<Place, Failure> {
    let (file, function) = match split(frame) {
        Some((file, function)) => (PathBuf::from(file), function),
        None => (program()?, frame),
    };
    Place::of_function(&file, function).map_err(|error| {
        let problem = format!("{}: {error}", escape::path(&file));
        Failure::flag("--frame", problem)
    })
}

/// The file and the function. Names of functions may have double colons.
fn split(frame: &str) -> Option<(&str, &str)> {
    let (file, function) = frame.rsplit_once(':')?;
    let is_file = !file.is_empty() && !file.ends_with(':') && !function.is_empty();
    is_file.then_some((file, function))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_may_have_a_file_before_it() {
        let file = Some(("/usr/lib/libSDL2.so", "SDL_GL_SwapWindow"));
        assert_eq!(split("/usr/lib/libSDL2.so:SDL_GL_SwapWindow"), file);
        for function in ["draw", "game::draw", ":draw", "draw:"] {
            assert_eq!(split(function), None, "{function}");
        }
    }
}
