//! What is known of a recording besides its events: the machine before and after the capture, and where a program's frames begin.

use super::ExplainArgs;
use super::show::stolen;
use crate::os::steal_ns;
use punctual_command::failure::Failure;
use punctual_data::escape;
use punctual_lab::measure::Question;
use punctual_lab::{Environment, Machine, Native};
use punctual_trace::recording::Head;
use punctual_trace::{Capture, Place, wall_clock};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What is known about a recording when its capture begins.
#[derive(Default)]
pub(super) struct Known {
    /// The question, if a loop of our own runs.
    pub(super) question: Option<Question>,
    pub(super) subject: String,
    /// The threads to explain, as far as they are known, with their names.
    pub(super) threads: Vec<(u32, String)>,
    /// The threads whose system calls are recorded, with those of all threads that they start.
    pub(super) callers: Vec<u32>,
    /// What else of it is recorded.
    pub(super) extras: Extras,
}

/// The machine before the capture.
pub(super) struct Before {
    pub(super) environment: Environment,
    steal_ns: Option<u64>,
    realtime_ahead_ns: Option<i64>,
}

impl Before {
    pub(super) fn read(machine: &Native) -> Self {
        Self {
            environment: machine.environment(),
            steal_ns: steal_ns(),
            realtime_ahead_ns: wall_clock::ahead_ns(machine),
        }
    }

    /// The head of a recording that begins.
    pub(super) fn head(&self, known: Known) -> Result<Head, punctual::Error> {
        let unwritten = |error: serde_json::Error| punctual::Error::system(error.to_string());
        Ok(Head {
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            waits: known.question.as_ref().map(|_| Vec::new()),
            question: serde_json::to_value(&known.question).map_err(unwritten)?,
            subject: known.subject,
            environment: serde_json::to_value(&self.environment).map_err(unwritten)?,
            threads: known.threads,
            realtime_ahead_ns: self.realtime_ahead_ns,
            ..Head::default()
        })
    }

    /// The changes of the machine since then, a sentence each.
    pub(super) fn changes(&self, after: &After) -> Vec<String> {
        let mut changes = self.environment.differences(&after.environment);
        changes.extend(wall_clock::change(
            self.realtime_ahead_ns,
            after.realtime_ahead_ns,
        ));
        let lost = steal_ns().zip(self.steal_ns);
        let lost = lost.map_or(0, |(now, before)| now.saturating_sub(before));
        if lost > 0 {
            changes.push(stolen(lost));
        }
        changes
    }
}

/// The machine after the capture.
pub(super) struct After {
    pub(super) environment: Environment,
    realtime_ahead_ns: Option<i64>,
}

impl After {
    pub(super) fn read(machine: &Native) -> Self {
        Self {
            environment: machine.environment(),
            realtime_ahead_ns: wall_clock::ahead_ns(machine),
        }
    }
}

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
