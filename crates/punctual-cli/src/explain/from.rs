//! Reads the file of `--from`: a recording, or a trace of Windows.

use super::live::MOST_ROWS;
use super::{ExplainArgs, Found, Told, windows};
use punctual::Error;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_data::escape;
use punctual_trace::advice::System;
use punctual_trace::info::Info;
use punctual_trace::recording::{FIRST_LINE, Head, Part, Reader};
use punctual_trace::remarks;
use punctual_trace::report::Tally;
use punctual_trace::windows::{etl, xperf};
use punctual_trace::{Explainer, Names, Recording, ThreadId, Wait, WakeUp};
use std::fmt::Display;
use std::io::BufRead;
use std::path::Path;

/// Reads a recording, or a trace of Windows, and explains it.
pub(super) fn read(args: &ExplainArgs, file: &Path) -> Result<Told, Failure> {
    let wrong = |problem: &dyn Display| wrong(file, problem);
    let mut open = input::open(file).map_err(|error| wrong(&error))?;
    let beginning = open.fill_buf().map_err(|error| wrong(&error))?;
    if beginning.starts_with(FIRST_LINE.as_bytes()) && args.perfetto.is_none() {
        return streamed(args, open, &|error| wrong(&error));
    }
    let bytes = input::rest(open, input::TRACE).map_err(|error| wrong(&error))?;
    let is_ours = bytes.starts_with(FIRST_LINE.as_bytes());
    if !is_ours && (etl::is_log(&bytes) || xperf::is_text(&bytes)) {
        return windows::read(args, file, &bytes);
    }
    let mut recording = Recording::read(&bytes).map_err(|error| wrong(&error))?;
    set_scope(args, &mut recording.head)?;
    let mut told = Told::of(recording).map_err(|error| wrong(&error))?;
    if let (Some(name), Found::Whole(trace, wake_ups)) = (&args.thread, &mut told.found) {
        let is_it = |up: &WakeUp| is_called(up, name, &trace.names);
        wake_ups.retain(is_it);
        if wake_ups.is_empty() {
            return Err(nobody(name));
        }
    }
    Ok(told)
}

/// Why a file is not read.
pub(super) fn wrong(file: &Path, problem: &dyn Display) -> Failure {
    Failure::flag("--from", format!("{}: {problem}", escape::path(file)))
}

/// What is in a file.
pub(super) fn info(file: &Path) -> Result<Info, Failure> {
    let wrong = |problem: &dyn Display| wrong(file, problem);
    let bytes = input::bytes(file, input::TRACE).map_err(|error| wrong(&error))?;
    Info::of(file, &bytes).map_err(|error| wrong(&error))
}

/// Explains a recording while it is read, however long it is.
fn streamed(
    args: &ExplainArgs,
    open: impl BufRead,
    wrong: &dyn Fn(Error) -> Failure,
) -> Result<Told, Failure> {
    let mut reader = Reader::begin(open).map_err(wrong)?;
    let mut head = reader.head().clone();
    set_scope(args, &mut head)?;
    let mut explainer = Explainer::new(reader.raw(), &head).map_err(wrong)?;
    let mut tally = Tally::new(MOST_ROWS);
    let mut count: u64 = 0;
    let mut note = |mut found: Vec<WakeUp>, names: &Names| {
        found.sort_by_key(|up| up.wait.woke);
        let thread = args.thread.as_ref();
        let is_it = |up: &&WakeUp| thread.is_none_or(|name| is_called(up, name, names));
        for wake_up in found.iter().filter(is_it) {
            count += 1;
            tally.note(wake_up, names);
        }
    };
    let scope = head.scope;
    let end = loop {
        match reader.part().map_err(wrong)? {
            Part::Waits(waits) => waits
                .into_iter()
                .for_each(|wait| explainer.wait(wait.into())),
            Part::Portion(portion) => {
                let found = explainer.portion(&portion).map_err(wrong)?;
                note(found, explainer.names());
            }
            Part::End(head) => break *head,
        }
    };
    note(explainer.finish(), explainer.names());
    let head = Head { scope, ..end };
    let report = tally.report(head.realtime_ahead_ns);
    match (&args.thread, count) {
        (Some(name), 0) => Err(nobody(name)),
        _ => Ok(Told {
            notes: remarks::streamed(&head, report.of, &explainer),
            found: Found::Report(Box::new(report)),
            head,
            system: System::Linux,
        }),
    }
}

/// Explains of a program what these arguments ask for, or else what was asked for when it was recorded.
fn set_scope(args: &ExplainArgs, head: &mut Head) -> Result<(), Failure> {
    let given = [
        ("--period", args.period.is_some()),
        ("--wakeups", args.wakeups),
    ];
    for (flag, is_given) in given {
        if is_given && head.waits.is_some() {
            let problem = "a recording of a loop has its own deadlines; this is for programs";
            return Err(Failure::flag(flag, problem));
        }
    }
    head.scope.period = args.period.or(head.scope.period);
    head.scope.wakeups |= args.wakeups;
    Ok(())
}

/// Whether the thread that woke has this name, or this id.
fn is_called(wake_up: &WakeUp, name: &str, names: &Names) -> bool {
    let Wait { thread, woke, .. } = wake_up.wait;
    names.thread_name(thread, woke) == name || name.parse().is_ok_and(|id| ThreadId(id) == thread)
}

fn nobody(name: &str) -> Failure {
    let problem = format!("no thread '{name}' woke in this recording");
    Failure::flag("--thread", problem)
}

impl Told {
    /// The contents of a recording.
    pub(super) fn of(recording: Recording) -> Result<Self, Error> {
        let explained = recording.explain()?;
        Ok(Self {
            notes: remarks::whole(&recording.head, &explained),
            head: recording.head,
            found: Found::Whole(explained.trace, explained.wake_ups),
            system: System::Linux,
        })
    }
}
