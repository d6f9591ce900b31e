//! `punctual pace`: what was asked is checked, run on a machine, and shown.

mod check;

use crate::args::PaceArgs;
use crate::failure::Failure;
use crate::output;
use crate::run::{self, EXIT_INTERRUPTED, Ran};
use punctual_lab::Native;
use punctual_lab::pace::{Asked, Experiment, Pace, PaceRecord, PaceRecording, SCHEMA};
use std::process::ExitCode;

#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;

/// Runs the command.
pub fn pace(args: &PaceArgs) -> Result<ExitCode, Failure> {
    let (ran, asked) = match &args.on {
        Some(machine) => simulated::run(args, machine)?,
        None => native(args)?,
    };
    let recording = recording(&ran, asked);
    output::show(args.format, &recording)?;
    match ran.spoiled {
        Some(failure) => Err(failure),
        None if recording.interrupted => Ok(ExitCode::from(EXIT_INTERRUPTED)),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn native(args: &PaceArgs) -> Result<(Ran<Pace>, Asked), Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let experiment: Experiment<Native> = check::experiment(args)?;
    let conditions = args.conditions();
    conditions.ensure_companions::<Native>()?;
    conditions.ensure_scheduling(&machine)?;
    let asked = check::asked(args, &experiment);
    let steps = experiment.milliseconds();
    let ran = run::native(&machine, &conditions, steps, move |machine, observer| {
        experiment.run(machine, observer)
    })?;
    Ok((ran, asked))
}

#[cfg(feature = "sim")]
mod simulated {
    use super::check;
    use crate::args::PaceArgs;
    use crate::failure::Failure;
    use crate::run::{self, Ran};
    use punctual_lab::pace::{Asked, Experiment, Pace};
    use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};

    pub(super) fn run(
        args: &PaceArgs,
        machine: &SimulatedMachine,
    ) -> Result<(Ran<Pace>, Asked), Failure> {
        let experiment: Experiment<SimulatedOs> = check::experiment(args)?;
        let conditions = args.conditions();
        conditions.ensure_companions::<SimulatedOs>()?;
        let machine = conditions.on(machine)?;
        let asked = check::asked(args, &experiment);
        let steps = experiment.milliseconds();
        let stop = run::simulated::stop_on_ctrl_c()?;
        let ran = run::simulated::run(&machine, args.seed, steps, &stop, move |os, observer| {
            experiment.run(os, observer)
        })?;
        Ok((ran, asked))
    }
}

fn recording(ran: &Ran<Pace>, asked: Asked) -> PaceRecording {
    let collected = &ran.collected;
    PaceRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: ran.environment.clone(),
        environment_changes: ran.environment_changes.clone(),
        asked,
        interrupted: collected.interrupted,
        unavailable: collected.unavailable.clone(),
        ways: collected
            .series
            .iter()
            .flatten()
            .map(PaceRecord::from)
            .collect(),
    }
}
