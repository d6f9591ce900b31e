//! `punctual pace`: how steadily each way of keeping a beat keeps it.

mod flags;
mod show;

pub use flags::{PaceArgs, words};

use crate::run::{self, Prepared, Ran};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_lab::pace::{Pace, PaceRecord, PaceRecording, Plan, Question, SCHEMA};
use std::process::ExitCode;

/// Runs the command.
pub fn pace(args: &PaceArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.question();
    let prepared = Prepared::of(&question, args.length_flag())?;
    let ran = run::ask(&question, &prepared, stop)?;
    let recording = recording(question, prepared.plan, &ran);
    crate::show::in_format(args.format, &recording)?;
    match ran.spoiled {
        Some(failure) => Err(failure),
        None => Ok(stop.status()),
    }
}

fn recording(question: Question, plan: Plan, ran: &Ran<Pace>) -> PaceRecording {
    let collected = &ran.collected;
    let record = |pace: &Pace| PaceRecord {
        confidence: question.waits().of_series(&pace.way),
        ..PaceRecord::from(pace)
    };
    let ways = collected.series.iter().flatten().map(record).collect();
    PaceRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: ran.environment.clone(),
        environment_changes: ran.environment_changes.clone(),
        question,
        plan: plan.into(),
        interrupted: collected.interrupted,
        unavailable: collected.unavailable.clone(),
        ways,
    }
}
