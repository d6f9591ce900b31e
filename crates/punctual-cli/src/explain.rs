//! `punctual explain`: a loop, a process or a recording is traced, explained and shown.

mod capture;
mod loop_of_ours;
mod program;
mod steal;
pub mod unprivileged;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::measure::EXIT_INTERRUPTED;
use crate::{output, show};
use punctual_lab::Environment;
use punctual_trace::{Recording, Report};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// What the JSON is; a change that breaks readers changes the number.
const SCHEMA: &str = "punctual.explanation/1";

/// Runs the command.
pub fn explain(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    let (recording, interrupted) = match (&args.from, args.pid) {
        (Some(file), _) => (Box::new(read(file)?), false),
        (None, Some(process)) => program::process(args, process)?,
        (None, None) if !args.command.is_empty() => program::command(args)?,
        (None, None) => match loop_of_ours::run(args)? {
            Traced::Kernel(recording, interrupted) => (recording, interrupted),
            Traced::OwnAccounts(accounts, interrupted) => {
                return unprivileged::show(args, &accounts, interrupted);
            }
        },
    };
    if let Some(file) = &args.save {
        output::file(file, |out| recording.write(out))?;
    }
    print(args, &recording)?;
    Ok(match interrupted {
        true => ExitCode::from(EXIT_INTERRUPTED),
        false => ExitCode::SUCCESS,
    })
}

/// What came of our own loop.
enum Traced {
    /// The kernel's trace, and whether Ctrl-C ended it.
    Kernel(Box<Recording>, bool),
    /// What can be known without, and the same.
    OwnAccounts(Box<unprivileged::Accounts>, bool),
}

/// What JSON has around a report.
#[derive(Serialize)]
struct Explanation<'a> {
    schema: &'static str,
    punctual_version: &'a str,
    subject: &'a str,
    environment: &'a serde_json::Value,
    environment_changes: &'a [String],
    #[serde(flatten)]
    report: &'a Report,
}

fn print(args: &ExplainArgs, recording: &Recording) -> Result<(), Failure> {
    let head = &recording.head;
    let (trace, wake_ups) = recording.explain().map_err(Failure::run)?;
    let report = Report::new(&trace, &wake_ups);
    output::print(|out| {
        if args.json {
            let explanation = Explanation {
                schema: SCHEMA,
                punctual_version: &head.punctual_version,
                subject: &head.subject,
                environment: &head.environment,
                environment_changes: &head.environment_changes,
                report: &report,
            };
            serde_json::to_writer_pretty(&mut *out, &explanation)?;
            return writeln!(out);
        }
        // What another version recorded may lack facts, or have others: then it has no header.
        let environment = serde_json::from_value::<Environment>(head.environment.clone());
        show::explain::report(out, head, &environment.unwrap_or_default(), &report)
    })
}

fn read(file: &Path) -> Result<Recording, Failure> {
    let wrong = |problem: &dyn std::fmt::Display| {
        Failure::flag("--from", format!("{}: {problem}", file.display()))
    };
    let bytes = fs::read(file).map_err(|error| wrong(&error))?;
    Recording::read(&bytes).map_err(|error| wrong(&error))
}

/// Refuses what could not be written in the end, before anything runs.
fn check_save(args: &ExplainArgs) -> Result<(), Failure> {
    let file = args.save.as_deref();
    file.map_or(Ok(()), |file| output::ensure_writable("--save", file))
}
