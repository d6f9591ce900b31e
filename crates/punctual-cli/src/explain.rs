//! `punctual explain`: a loop, a process or a recording is traced, explained and shown.

mod capture;
mod explanation;
mod flags;
mod from;
mod loop_of_ours;
mod program;
mod show;
#[cfg(feature = "sim")]
mod simulated;
mod subject;
mod unprivileged;
mod windows;

pub use explanation::{Explanation, SCHEMA};
pub use flags::{ExplainArgs, usual_method, words};
pub use unprivileged::{Accounts, SCHEMA as ACCOUNTS_SCHEMA};

use crate::failure::Failure;
use crate::interrupt;
use crate::output;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use explanation::System;
use punctual_trace::recording::Head;
use punctual_trace::{Recording, Report, Trace, WakeUp, perfetto};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub fn explain(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.from {
        check_files(args)?;
        tell(args, &from::read(args, file)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.on.on.is_some() {
        let (told, interrupted) = simulated::run(args)?;
        tell(args, &told)?;
        return Ok(interrupt::status(interrupted));
    }
    let (recording, interrupted) = match args.pid {
        Some(process) => program::process(args, process)?,
        None if !args.command.is_empty() => program::command(args)?,
        None => match loop_of_ours::run(args)? {
            Traced::Kernel(recording, interrupted) => (recording, interrupted),
            Traced::OwnAccounts(accounts, interrupted) => {
                return unprivileged::show(args, &accounts, interrupted);
            }
        },
    };
    if let Some(file) = &args.save {
        output::file(file, |out| recording.write(out))?;
    }
    tell(args, &Told::of(*recording)?)?;
    Ok(interrupt::status(interrupted))
}

/// What can be told of wake-ups, wherever it comes from.
struct Told {
    head: Head,
    trace: Trace,
    wake_ups: Vec<WakeUp>,
    /// What must be known to read it, a sentence each.
    notes: Vec<String>,
    /// Whose advice applies.
    system: System,
}

/// What came of our own loop.
enum Traced {
    /// The kernel's trace, and whether Ctrl-C ended it.
    Kernel(Box<Recording>, bool),
    /// What can be known without, and the same.
    OwnAccounts(Box<unprivileged::Accounts>, bool),
}

/// Writes and shows it.
fn tell(args: &ExplainArgs, told: &Told) -> Result<(), Failure> {
    if let Some(file) = &args.perfetto {
        output::file(file, |out| {
            perfetto::write(out, &told.trace, &told.wake_ups)
        })?;
    }
    let head = &told.head;
    let explanation = Explanation {
        schema: SCHEMA.to_owned(),
        punctual_version: head.punctual_version.clone(),
        // What another version asked may be nothing that this one knows.
        question: serde_json::from_value(head.question.clone()).unwrap_or_default(),
        subject: head.subject.clone(),
        environment: head.environment.clone(),
        environment_changes: head.environment_changes.clone(),
        was_full: head.was_full,
        system: told.system,
        notes: told.notes.clone(),
        report: Report::new(&told.trace, &told.wake_ups),
    };
    output::show(args.format, &explanation)
}

/// Refuses what could not be written in the end, before anything runs.
fn check_files(args: &ExplainArgs) -> Result<(), Failure> {
    let outputs = [("--save", &args.save), ("--perfetto", &args.perfetto)];
    let outputs: Vec<_> = outputs
        .into_iter()
        .filter_map(|(flag, file)| named(flag, file))
        .collect();
    let inputs: Vec<_> = named("--from", &args.from).into_iter().collect();
    output::ensure_writable(&outputs, &inputs)
}

fn named<'a>(flag: &'a str, file: &'a Option<PathBuf>) -> Option<(&'a str, &'a Path)> {
    file.as_deref().map(|file| (flag, file))
}
