//! `punctual explain`: traces a loop, a process or a recording, explains its wake-ups and shows
//! them.

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

/// What is known about wake-ups, from any source.
struct Told {
    head: Head,
    trace: Trace,
    wake_ups: Vec<WakeUp>,
    /// Notes for the reader, a sentence each.
    notes: Vec<String>,
    /// The system whose advice applies.
    system: System,
}

/// The result of our own loop.
enum Traced {
    /// The kernel's trace, and whether Ctrl-C ended it.
    Kernel(Box<Recording>, bool),
    /// What is known without the trace, and the same flag.
    OwnAccounts(Box<unprivileged::Accounts>, bool),
}

/// Writes the files and shows the explanation.
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
        // Another version's question may be unknown to this one.
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

/// Refuses files that could not be written at the end, before anything runs.
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
