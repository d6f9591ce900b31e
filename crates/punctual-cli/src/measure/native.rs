//! The measurement on the machine this program runs on.

use super::{Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::run;
use punctual::Native;
use punctual_lab::load::RunningLoad;
use punctual_lab::{Experiment, Load, Machine};

pub(super) fn run(args: &MeasureArgs) -> Result<Measured, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let experiment: Experiment<Native> = check::experiment(args)?;
    check::native_companions(args)?;
    check::scheduling(&machine, args)?;
    let asked = check::asked(args, &experiment);
    let slackened = experiment.offers.iter().filter(|offer| offer.slack_applies);
    let slackened = slackened.map(|offer| offer.name).collect();
    let environment = machine.environment();
    // First of all, so that whoever sees the load run can stop it in an orderly way.
    let stop = run::cancel_on_ctrl_c(&machine)?;
    let load = start(&args.load)?;
    let collected = run::run(&machine, experiment, stop)?;
    // Only a load that lasted to the end was there all the time.
    let load_ended = load.and_then(|load| load.check().err());
    let mut environment_changes = environment.differences(&machine.environment());
    environment_changes.extend(load_ended.iter().map(ToString::to_string));
    Ok(Measured {
        environment,
        environment_changes,
        asked,
        collected,
        slackened,
        spoiled: load_ended.map(Failure::run),
    })
}

/// Starts a load on as many processors as this program may use.
pub fn start(load: &Load) -> Result<Option<RunningLoad>, Failure> {
    if *load == Load::None {
        return Ok(None);
    }
    let program = std::env::current_exe().map_err(|error| {
        Failure::run(format!("cannot find this program to start a load: {error}"))
    })?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let running = load.start(&program, processors).map_err(Failure::run)?;
    Ok(Some(running))
}
