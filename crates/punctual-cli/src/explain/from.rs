//! Reads the file of `--from`: a recording, or a trace of Windows.

use super::explanation::System;
use super::live::MOST_ROWS;
use super::{ExplainArgs, Found, Told, windows};
use crate::escape;
use crate::failure::Failure;
use crate::input;
use punctual_trace::recording::{FIRST_LINE, Part, Reader};
use punctual_trace::report::Tally;
use punctual_trace::windows::{etl, xperf};
use punctual_trace::{Explainer, Names, Recording, ThreadId, WakeUp};
use std::fmt::Display;
use std::io::BufRead;
use std::path::Path;

/// Reads a recording, or a trace of Windows, and explains it.
pub(super) fn read(args: &ExplainArgs, file: &Path) -> Result<Told, Failure> {
    let wrong = |problem: &dyn Display| {
        Failure::flag("--from", format!("{}: {problem}", escape::path(file)))
    };
    let mut open = input::open(file).map_err(|error| wrong(&error))?;
    let beginning = open.fill_buf().map_err(|error| wrong(&error))?;
    if beginning.starts_with(FIRST_LINE.as_bytes()) {
        if args.period.is_some() {
            let problem = "a recording has its own deadlines; a period is for a trace of Windows";
            return Err(Failure::flag("--period", problem));
        }
        if args.perfetto.is_none() {
            return streamed(args, open, &|error| wrong(&error));
        }
    }
    let bytes = input::rest(open, input::TRACE).map_err(|error| wrong(&error))?;
    let is_ours = bytes.starts_with(FIRST_LINE.as_bytes());
    if !is_ours && (etl::is_log(&bytes) || xperf::is_text(&bytes)) {
        return windows::read(args, file, &bytes);
    }
    let recording = Recording::read(&bytes).map_err(|error| wrong(&error))?;
    let mut told = Told::of(recording)?;
    if let (Some(name), Found::Whole(trace, wake_ups)) = (&args.thread, &mut told.found) {
        let is_it = |up: &WakeUp| is_called(up.wait.thread, name, &trace.names);
        wake_ups.retain(is_it);
        if wake_ups.is_empty() {
            return Err(nobody(name));
        }
    }
    Ok(told)
}

/// Explains a recording while it is read, however long it is.
fn streamed(
    args: &ExplainArgs,
    open: impl BufRead,
    wrong: &dyn Fn(punctual::Error) -> Failure,
) -> Result<Told, Failure> {
    let mut reader = Reader::begin(open).map_err(wrong)?;
    let mut explainer = Explainer::new(reader.raw(), reader.head()).map_err(Failure::run)?;
    let mut tally = Tally::new(MOST_ROWS);
    let mut count: u64 = 0;
    let mut note = |mut found: Vec<WakeUp>, names: &Names| {
        found.sort_by_key(|up| up.wait.woke);
        let thread = args.thread.as_ref();
        let is_it = |up: &&WakeUp| thread.is_none_or(|name| is_called(up.wait.thread, name, names));
        for wake_up in found.iter().filter(is_it) {
            count += 1;
            tally.note(wake_up, names);
        }
    };
    let head = loop {
        match reader.next().map_err(wrong)? {
            Part::Waits(waits) => waits
                .into_iter()
                .for_each(|wait| explainer.wait(wait.into())),
            Part::Portion(portion) => {
                let found = explainer.portion(&portion).map_err(Failure::run)?;
                note(found, explainer.names());
            }
            Part::End(head) => break *head,
        }
    };
    note(explainer.finish(), explainer.names());
    match (&args.thread, count) {
        (Some(name), 0) => Err(nobody(name)),
        _ => Ok(Told {
            found: Found::Report(Box::new(tally.report(head.realtime_ahead_ns))),
            head,
            notes: Vec::new(),
            system: System::Linux,
        }),
    }
}

/// Whether a thread has this name, or this id.
fn is_called(thread: ThreadId, name: &str, names: &Names) -> bool {
    names.thread_name(thread) == name || name.parse().is_ok_and(|id| ThreadId(id) == thread)
}

fn nobody(name: &str) -> Failure {
    let problem = format!("no thread '{name}' woke in this recording");
    Failure::flag("--thread", problem)
}

impl Told {
    /// The contents of a recording.
    pub(super) fn of(recording: Recording) -> Result<Self, Failure> {
        let (trace, wake_ups) = recording.explain().map_err(Failure::run)?;
        Ok(Self {
            head: recording.head,
            found: Found::Whole(trace, wake_ups),
            notes: Vec::new(),
            system: System::Linux,
        })
    }
}
