//! The measurement on the machine this program runs on.

use super::{Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::run;
use punctual::{Error, Native};
use punctual_lab::load::Running;
use punctual_lab::{Experiment, Load, Machine};
use std::path::Path;

pub(super) fn run(args: &MeasureArgs) -> Result<Measured, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let experiment: Experiment<Native> = check::experiment(args)?;
    check::companions::<Native>(args)?;
    check::scheduling(&machine, args)?;
    let asked = check::asked(args, &experiment);
    let slackened = experiment.offers.iter().filter(|offer| offer.slack_applies);
    let slackened = slackened.map(|offer| offer.name).collect();
    let environment = machine.environment();
    // First of all, so that whoever sees the load run can stop it in an orderly way.
    let stop = run::cancel_on_ctrl_c(&machine)?;
    let running = start(args)?;
    let collected = run::run(&machine, experiment, stop)?;
    // Only who lasted to the end was there all the time.
    let one_ended = running.iter().find_map(|running| running.check().err());
    drop(running);
    let mut environment_changes = environment.differences(&machine.environment());
    environment_changes.extend(one_ended.iter().map(ToString::to_string));
    Ok(Measured {
        environment,
        environment_changes,
        asked,
        collected,
        slackened,
        spoiled: one_ended.map(Failure::run),
    })
}

/// Starts the load, on as many processors as this program may use, and the companions.
pub fn start(args: &MeasureArgs) -> Result<Vec<Running>, Failure> {
    if args.load == Load::None && args.with.is_empty() {
        return Ok(Vec::new());
    }
    let program = std::env::current_exe().map_err(|error| {
        Failure::run(format!("cannot find this program to start a load: {error}"))
    })?;
    start_with(args, &program).map_err(Failure::run)
}

fn start_with(args: &MeasureArgs, program: &Path) -> Result<Vec<Running>, Error> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut running = vec![args.load.start(program, processors)?];
    for (number, companion) in (0..).zip(&args.with) {
        running.push(companion.start(program, number)?);
    }
    Ok(running)
}
