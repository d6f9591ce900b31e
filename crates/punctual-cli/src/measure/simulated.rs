//! The measurement on a simulated machine: the same experiment, in virtual time.

use super::{Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::run::{self, simulated::Stop};
use punctual_lab::Experiment;
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};

pub(super) fn run(args: &MeasureArgs, machine: &SimulatedMachine) -> Result<Measured, Failure> {
    let stop = run::simulated::stop_on_ctrl_c()?;
    until(args, machine, &stop)
}

/// Runs until it is over or somebody stops it.
pub fn until(
    args: &MeasureArgs,
    machine: &SimulatedMachine,
    stop: &Stop,
) -> Result<Measured, Failure> {
    let experiment: Experiment<SimulatedOs> = check::experiment(args)?;
    let conditions = args.conditions();
    conditions.ensure_companions::<SimulatedOs>()?;
    let machine = conditions.on(machine)?;
    let asked = check::asked(args, &experiment);
    let steps = experiment.waits();
    let ran = run::simulated::run(&machine, args.seed, steps, stop, move |os, observer| {
        experiment.run(os, observer)
    })?;
    Ok(Measured {
        ran,
        asked,
        slackened: Vec::new(),
    })
}
