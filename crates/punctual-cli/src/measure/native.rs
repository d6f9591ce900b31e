//! The measurement on the machine this program runs on.

use super::{Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::run;
use punctual_lab::Experiment;
use punctual_lab::Native;

pub(super) fn run(args: &MeasureArgs) -> Result<Measured, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let experiment: Experiment<Native> = check::experiment(args)?;
    let conditions = args.conditions();
    conditions.ensure_companions::<Native>()?;
    conditions.ensure_scheduling(&machine)?;
    check::tuning(&machine, args)?;
    let asked = check::asked(args, &experiment);
    let slackened = experiment.offers.iter().filter(|offer| offer.slack_applies);
    let slackened = slackened.map(|offer| offer.name).collect();
    let steps = experiment.waits();
    let ran = run::native(&machine, &conditions, steps, move |machine, observer| {
        experiment.run(machine, observer)
    })?;
    Ok(Measured {
        ran,
        asked,
        slackened,
    })
}
