//! Reads the file of `--from`: a recording, or a trace of Windows.

use super::explanation::System;
use super::{ExplainArgs, Told, windows};
use crate::escape;
use crate::failure::Failure;
use crate::input;
use punctual_trace::recording::FIRST_LINE;
use punctual_trace::windows::{etl, xperf};
use punctual_trace::{Recording, ThreadId};
use std::fmt::Display;
use std::path::Path;

/// Reads a recording, or a trace of Windows, and explains it.
pub(super) fn read(args: &ExplainArgs, file: &Path) -> Result<Told, Failure> {
    let wrong = |problem: &dyn Display| {
        Failure::flag("--from", format!("{}: {problem}", escape::path(file)))
    };
    let bytes = input::bytes(file, input::TRACE).map_err(|error| wrong(&error))?;
    let is_ours = bytes.starts_with(FIRST_LINE.as_bytes());
    if !is_ours && (etl::is_log(&bytes) || xperf::is_text(&bytes)) {
        return windows::read(args, file, &bytes);
    }
    if args.period.is_some() {
        let problem = "a recording has its own deadlines; a period is for a trace of Windows";
        return Err(Failure::flag("--period", problem));
    }
    let recording = Recording::read(&bytes).map_err(|error| wrong(&error))?;
    let mut told = Told::of(recording)?;
    if let Some(name) = &args.thread {
        keep(&mut told, name)?;
    }
    Ok(told)
}

/// Keeps the wake-ups of the threads with this name, or of the thread with this id.
fn keep(told: &mut Told, name: &str) -> Result<(), Failure> {
    let names = &told.trace.names;
    let mut threads = names.threads_called(name);
    threads.extend(name.parse().map(ThreadId));
    told.wake_ups.retain(|up| threads.contains(&up.wait.thread));
    if told.wake_ups.is_empty() {
        let problem = format!("no thread '{name}' woke in this recording");
        return Err(Failure::flag("--thread", problem));
    }
    Ok(())
}

impl Told {
    /// The contents of a recording.
    pub(super) fn of(recording: Recording) -> Result<Self, Failure> {
        let (trace, wake_ups) = recording.explain().map_err(Failure::run)?;
        Ok(Self {
            head: recording.head,
            trace,
            wake_ups,
            notes: Vec::new(),
            system: System::Linux,
        })
    }
}
