//! `punctual sleep`: what bare calls take.

mod flags;
mod show;

pub use flags::{SleepArgs, words};

use crate::run::{self, Prepared, Ran};
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::json;
use punctual_lab::calls::{Question, Recording, Taken};
use std::process::ExitCode;

/// The flag for the recording's file.
const SAVE: &str = "--save";

/// Runs the command.
pub fn sleep(args: &SleepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let prepared = Prepared::of(&question, "--count")?;
    if let Some(file) = &args.save {
        output::ensure_writable(stop, &[(SAVE, file)], &[])?;
    }
    let ran = run::ask(&question, &prepared, stop)?;
    let recording = recording(&question, &ran);
    crate::show::in_format(args.format, &recording)?;
    if let Some(file) = &args.save {
        output::file(stop, file, |out| json::write(out, &recording))?;
    }
    match ran.spoiled {
        Some(failure) => Err(failure),
        None => Ok(stop.status()),
    }
}

/// What a run of a question found.
fn recording(question: &Question, ran: &Ran<Taken>) -> Recording {
    let collected = &ran.collected;
    Recording {
        environment_changes: ran.environment_changes.clone(),
        interrupted: collected.interrupted,
        unavailable: collected.unavailable.clone(),
        ..Recording::of(
            question,
            &ran.environment,
            collected.series.iter().flatten(),
        )
    }
}
