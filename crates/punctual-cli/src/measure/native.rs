//! The measurement on the machine this program runs on.

use super::{Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::run;
use punctual::Native;
use punctual_lab::load::{self, RunningLoad};
use punctual_lab::simulated::Companion;
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
    let company = start(args)?;
    let collected = run::run(&machine, experiment, stop)?;
    // Only what lasted to the end was there all the time.
    let load_ended = company.iter().find_map(|running| running.check().err());
    // The machine is looked at again as it was: without company.
    drop(company);
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

/// Starts the load, on as many processors as this program may use, and the requesters.
fn start(args: &MeasureArgs) -> Result<Vec<RunningLoad>, Failure> {
    let mut running = Vec::new();
    if args.load == Load::None && args.with.is_empty() {
        return Ok(running);
    }
    let program = std::env::current_exe().map_err(|error| {
        Failure::run(format!("cannot find this program to start a load: {error}"))
    })?;
    if args.load != Load::None {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let load = args.load.start(&program, processors);
        running.push(load.map_err(Failure::run)?);
    }
    for companion in &args.with {
        if let Companion::Requester { interval } = companion {
            let requester = load::start_requester(&program, *interval);
            running.push(requester.map_err(Failure::run)?);
        }
    }
    Ok(running)
}
