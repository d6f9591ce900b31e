//! `punctual explain`: a loop, a process or a recording is traced, explained and shown.

mod capture;
mod from;
mod loop_of_ours;
mod program;
#[cfg(feature = "sim")]
mod simulated;
mod steal;
pub mod unprivileged;
mod windows;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::output;
use crate::run::EXIT_INTERRUPTED;
use crate::show::explain::System;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual_lab::Environment;
use punctual_trace::recording::Head;
use punctual_trace::{Recording, Report, Trace, WakeUp, perfetto};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the JSON is; a change that breaks readers changes the number.
const SCHEMA: &str = "punctual.explanation/1";

/// Runs the command.
pub fn explain(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.from {
        check_files(args)?;
        return tell(args, &from::read(args, file)?);
    }
    if let Some(machine) = &args.on {
        let (told, interrupted) = simulated::run(args, machine)?;
        return Ok(status(interrupted, tell(args, &told)?));
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
    Ok(status(interrupted, tell(args, &Told::of(*recording)?)?))
}

fn status(interrupted: bool, told: ExitCode) -> ExitCode {
    match interrupted {
        true => ExitCode::from(EXIT_INTERRUPTED),
        false => told,
    }
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

/// What JSON has around a report.
#[derive(Serialize)]
pub struct Explanation<'a> {
    schema: &'static str,
    punctual_version: &'a str,
    pub subject: &'a str,
    environment: &'a serde_json::Value,
    environment_changes: &'a [String],
    pub notes: &'a [String],
    #[serde(flatten)]
    pub report: &'a Report,
    #[serde(skip)]
    pub head: &'a Head,
    #[serde(skip)]
    pub system: System,
}

impl Explanation<'_> {
    /// The machine, as far as this version knows the facts: what another version recorded may lack
    /// some, or have others, and then there are none.
    pub fn machine(&self) -> Environment {
        serde_json::from_value(self.environment.clone()).unwrap_or_default()
    }
}

/// Writes and shows it.
fn tell(args: &ExplainArgs, told: &Told) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.perfetto {
        output::file(file, |out| {
            perfetto::write(out, &told.trace, &told.wake_ups)
        })?;
    }
    let head = &told.head;
    let explanation = Explanation {
        schema: SCHEMA,
        punctual_version: &head.punctual_version,
        subject: &head.subject,
        environment: &head.environment,
        environment_changes: &head.environment_changes,
        notes: &told.notes,
        report: &Report::new(&told.trace, &told.wake_ups),
        head,
        system: told.system,
    };
    output::show(args.format, &explanation)?;
    Ok(ExitCode::SUCCESS)
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
