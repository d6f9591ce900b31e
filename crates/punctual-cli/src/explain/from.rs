//! Reads the file of `--from`: a recording, or a trace of Windows.

use super::ExplainArgs;
use super::live::MOST_ROWS;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_data::escape;
use punctual_lab::Environment;
use punctual_trace::Recording;
use punctual_trace::file::Kind;
use punctual_trace::info::Info;
use punctual_trace::outcome::Outcome;
use punctual_trace::recording::{Head, Reader};
use punctual_trace::windows::WindowsTrace;
use std::fmt::Display;
use std::io::{BufRead, Cursor, Read};
use std::path::Path;

/// Reads a recording, or a trace of Windows, and explains it.
pub(super) fn read(args: &ExplainArgs, file: &Path) -> Result<Outcome, Failure> {
    let (kind, open) = open(file)?;
    if kind == Kind::Recording && args.perfetto.is_none() {
        return streamed(args, file, open);
    }
    let bytes = input::rest(open, input::TRACE).map_err(wrong(file))?;
    if kind != Kind::Recording {
        return of_windows(args, file, &bytes);
    }
    let mut recording = Recording::read(&bytes).map_err(wrong(file))?;
    set_scope(args, &mut recording.head)?;
    let outcome = Outcome::of_recording(recording).map_err(wrong(file))?;
    let Some(name) = &args.thread else {
        return Ok(outcome);
    };
    outcome.only(name).ok_or_else(|| nothing(name))
}

/// A file that its beginning says is a trace. Another is refused, however long it is.
fn open(file: &Path) -> Result<(Kind, impl BufRead), Failure> {
    let mut open = input::open(file).map_err(wrong(file))?;
    let first = open.by_ref().take(Kind::BEGINNING as u64);
    let beginning = input::rest(first, input::TRACE).map_err(wrong(file))?;
    let kind = Kind::of(&beginning).map_err(wrong(file))?;
    Ok((kind, Cursor::new(beginning).chain(open)))
}

/// Why a file is not read.
fn wrong<E: Display>(file: &Path) -> impl Fn(E) -> Failure {
    move |problem| Failure::flag("--from", format!("{}: {problem}", escape::path(file)))
}

/// What is in a file.
pub(super) fn info(file: &Path) -> Result<Info, Failure> {
    let bytes = input::rest(open(file)?.1, input::TRACE).map_err(wrong(file))?;
    Info::of(file, &bytes).map_err(wrong(file))
}

/// Explains a recording while it is read, however long it is.
fn streamed(args: &ExplainArgs, file: &Path, open: impl BufRead) -> Result<Outcome, Failure> {
    let reader = Reader::begin(open).map_err(wrong(file))?;
    let mut head = reader.head().clone();
    set_scope(args, &mut head)?;
    let thread = args.thread.as_deref();
    let outcome = Outcome::streamed(reader, &head, thread, MOST_ROWS).map_err(wrong(file))?;
    outcome.ok_or_else(|| nothing(thread.unwrap_or_default()))
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

/// Explains a trace of Windows: a log, or the text of one.
fn of_windows(args: &ExplainArgs, file: &Path, bytes: &[u8]) -> Result<Outcome, Failure> {
    if args.wakeups {
        let problem = "of a trace of Windows only timed waits are explained";
        return Err(Failure::flag("--wakeups", problem));
    }
    let trace = WindowsTrace::read(bytes).map_err(wrong(file))?;
    let candidates = trace.candidates();
    let Some(name) = &args.thread else {
        let problem = format!("name the thread or its process, one of: {candidates}");
        return Err(Failure::flag("--thread", problem));
    };
    let threads = trace.threads(name);
    if threads.is_empty() {
        let problem = format!(
            "there is no process and no thread '{name}' in {}; there are {candidates}",
            escape::path(file)
        );
        return Err(Failure::flag("--thread", problem));
    }
    let head = Head {
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        subject: format!("{name} in {}", file.display()),
        environment: serde_json::to_value(Environment::default()).map_err(Failure::run)?,
        ..Head::default()
    };
    Ok(Outcome::of_windows(&trace, &threads, args.period, head))
}

fn nothing(name: &str) -> Failure {
    Failure::flag(
        "--thread",
        format!("no thread '{name}' woke in this recording"),
    )
}
