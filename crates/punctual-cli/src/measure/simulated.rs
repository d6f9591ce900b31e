//! The measurement on a simulated machine: the same experiment, in virtual time.

use super::{Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::run;
use punctual_lab::Experiment;
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};

pub(super) fn run(args: &MeasureArgs, machine: &SimulatedMachine) -> Result<Measured, Failure> {
    let experiment: Experiment<SimulatedOs> = check::experiment(args)?;
    let conditions = args.conditions();
    conditions.ensure_companions::<SimulatedOs>()?;
    let machine = conditions.on(machine)?;
    let asked = check::asked(args, &experiment);
    let steps = experiment.waits();
    let ran = run::simulated::run(&machine, args.seed, steps, move |os, observer| {
        experiment.run(os, observer)
    })?;
    Ok(Measured {
        ran,
        asked,
        slackened: Vec::new(),
    })
}
