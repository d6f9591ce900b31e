//! `punctual measure`: what was asked is checked, run on a machine, and shown.

pub mod check;
pub mod native;
mod percentiles;
#[cfg(feature = "sim")]
pub mod simulated;

use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::output;
use crate::run::Collected;
use crate::show;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual_lab::Environment;
use punctual_lab::recording::{Asked, Recording, SCHEMA, SeriesRecord};
use std::process::ExitCode;

/// What a shell shows for a command ended by Ctrl-C: 128 and the number of SIGINT.
pub const EXIT_INTERRUPTED: u8 = 130;
const EXIT_BOUND_BROKEN: u8 = 3;

/// A measurement that was made, whole or in part.
struct Measured {
    environment: Environment,
    environment_changes: Vec<String>,
    asked: Asked,
    collected: Collected,
    /// Names of the methods that timer slack delays.
    slackened: Vec<&'static str>,
    /// Why it is worth less than was asked for.
    spoiled: Option<Failure>,
}

/// Runs the command.
pub fn measure(args: &MeasureArgs) -> Result<ExitCode, Failure> {
    let measured = run(args)?;
    let recording = recording(&measured);
    print(args, &recording, &measured.slackened)?;
    percentiles::write(args, &recording)?;
    match measured.spoiled {
        Some(failure) => Err(failure),
        None => Ok(verdict(args, &recording)),
    }
}

fn run(args: &MeasureArgs) -> Result<Measured, Failure> {
    match &args.on {
        Some(machine) => simulated::run(args, machine),
        None => native::run(args),
    }
}

fn recording(measured: &Measured) -> Recording {
    let collected = &measured.collected;
    Recording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: measured.environment.clone(),
        environment_changes: measured.environment_changes.clone(),
        asked: measured.asked.clone(),
        interrupted: collected.interrupted,
        unavailable: collected.unavailable.clone(),
        series: collected.series.iter().map(SeriesRecord::from).collect(),
    }
}

fn print(args: &MeasureArgs, recording: &Recording, slackened: &[&str]) -> Result<(), Failure> {
    output::print(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, recording)?;
            writeln!(out)
        } else if args.markdown {
            show::markdown(out, recording)
        } else if args.csv {
            show::csv(out, recording)
        } else {
            show::recording(out, recording, &|name| slackened.contains(&name))
        }
    })
}

fn verdict(args: &MeasureArgs, recording: &Recording) -> ExitCode {
    let broken: Vec<_> = args
        .fail_if
        .iter()
        .flat_map(|bound| bound.violations(&recording.series))
        .collect();
    for violation in &broken {
        anstream::eprintln!("bound broken: {violation}");
    }
    if recording.interrupted {
        ExitCode::from(EXIT_INTERRUPTED)
    } else if broken.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_BOUND_BROKEN)
    }
}
