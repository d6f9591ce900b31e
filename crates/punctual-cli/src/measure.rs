//! `punctual measure`: what was asked is checked, run on a machine, and shown.

pub mod check;
mod native;
mod percentiles;
#[cfg(feature = "sim")]
mod simulated;

use crate::args::MeasureArgs;
use crate::failure::{Failure, complain};
use crate::output;
use crate::run::{Collected, EXIT_INTERRUPTED, Ran};
use crate::show::Measurement;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual_lab::recording::{Asked, Recording, SCHEMA, SeriesRecord};
use punctual_lab::statistics::Series;
use std::process::ExitCode;

const EXIT_BOUND_BROKEN: u8 = 3;

/// A measurement that was made, whole or in part.
struct Measured {
    ran: Ran,
    asked: Asked,
    /// Names of the methods that timer slack delays.
    slackened: Vec<&'static str>,
}

/// Runs the command.
pub fn measure(args: &MeasureArgs) -> Result<ExitCode, Failure> {
    let measured = run(args)?;
    let recording = recording(&measured);
    let shown = Measurement {
        recording: &recording,
        slackened: &measured.slackened,
    };
    output::show(args.format, &shown)?;
    percentiles::write(args, &recording)?;
    match measured.ran.spoiled {
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

/// What simulated machines do with the same question, one after the other.
#[cfg(feature = "sim")]
pub fn simulated_recordings(asked: &[MeasureArgs]) -> Result<Vec<Recording>, Failure> {
    let stop = crate::run::simulated::stop_on_ctrl_c()?;
    let machines = asked
        .iter()
        .filter_map(|args| Some((args, args.on.as_ref()?)));
    machines
        .map(|(args, machine)| Ok(recording(&simulated::until(args, machine, &stop)?)))
        .collect()
}

fn recording(measured: &Measured) -> Recording {
    let Ran {
        environment,
        environment_changes,
        collected,
        ..
    } = &measured.ran;
    Recording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: environment.clone(),
        environment_changes: environment_changes.clone(),
        asked: measured.asked.clone(),
        interrupted: collected.interrupted,
        unavailable: collected.unavailable.clone(),
        series: series(collected),
    }
}

/// Of every method there is, those that had no turn included.
fn series(collected: &Collected) -> Vec<SeriesRecord> {
    let named = collected.names.iter().zip(&collected.series);
    let record = |(name, series): (&String, &Option<Series>)| match series {
        Some(series) => SeriesRecord::from(series),
        None => SeriesRecord::from(&Series::new(name)),
    };
    named.map(record).collect()
}

fn verdict(args: &MeasureArgs, recording: &Recording) -> ExitCode {
    let broken: Vec<_> = args
        .fail_if
        .iter()
        .flat_map(|bound| bound.violations(&recording.series))
        .collect();
    for violation in &broken {
        complain(format_args!("bound broken: {violation}"));
    }
    if recording.interrupted {
        ExitCode::from(EXIT_INTERRUPTED)
    } else if broken.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_BOUND_BROKEN)
    }
}
