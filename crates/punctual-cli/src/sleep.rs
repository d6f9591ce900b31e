//! `punctual sleep`: what bare calls take.

mod flags;
mod show;

pub use flags::{SleepArgs, words};
#[cfg(feature = "sim")]
pub use show::near;

use crate::run::{self, Prepared, Ran};
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::json;
use punctual_lab::calls::{Question, Recording, SCHEMA, SeriesRecord, Taken};
use std::process::ExitCode;
use std::time::Duration;

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
pub fn recording(question: &Question, ran: &Ran<Taken>) -> Recording {
    let collected = &ran.collected;
    let record = |taken: &Taken| {
        let record = SeriesRecord::from(taken);
        let mean = record.mean_ns.map(Duration::from_nanos);
        let waits = question.waits(taken.length);
        SeriesRecord {
            confidence: mean.and_then(|mean| waits.of_call(&taken.call, mean)),
            ..record
        }
    };
    Recording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: ran.environment.clone(),
        environment_changes: ran.environment_changes.clone(),
        question: question.clone(),
        interrupted: collected.interrupted,
        unavailable: collected.unavailable.clone(),
        series: collected.series.iter().flatten().map(record).collect(),
    }
}
