//! The measurement on a simulated machine: the same experiment, in virtual time.

use super::{Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::run::Collected;
use punctual_lab::measure::Observer;
use punctual_lab::recording::Unavailable;
use punctual_lab::simulated::{Companion, SimulatedMachine, SimulatedOs};
use punctual_lab::statistics::Series;
use punctual_lab::{Experiment, Load, Machine};

pub(super) fn run(args: &MeasureArgs, machine: &SimulatedMachine) -> Result<Measured, Failure> {
    let experiment: Experiment<SimulatedOs> = check::experiment(args)?;
    let machine = with_company(args, machine)?;
    let asked = check::asked(args, &experiment);
    let run = machine.run(args.seed, move |os| {
        let environment = os.environment();
        let mut collected = Collected::default();
        let outcome = experiment.run(&os, &mut collected);
        outcome.map(|()| (environment, collected))
    });
    let (mut environment, collected) = run.map_err(Failure::run)?.value.map_err(Failure::run)?;
    environment.system = Some(format!("{machine}, simulated"));
    Ok(Measured {
        environment,
        environment_changes: Vec::new(),
        asked,
        collected,
        slackened: Vec::new(),
        spoiled: None,
    })
}

/// The machine with the companions and the load that were asked for.
pub fn with_company(
    args: &MeasureArgs,
    machine: &SimulatedMachine,
) -> Result<SimulatedMachine, Failure> {
    let mut machine = machine.clone();
    let processors = machine.parameters.processors;
    if let Some(processor) = args.pin.filter(|&processor| processor >= processors) {
        let problem = format!(
            "there is no processor {processor}: they are 0 to {}",
            processors - 1
        );
        return Err(Failure::flag("--pin", problem));
    }
    machine.companions.clone_from(&args.with);
    let loads = match &args.load {
        Load::None => 0,
        Load::Cpu { processes } => processes.map_or(processors, std::num::NonZeroUsize::get),
        other => {
            let problem = format!("a simulated machine has no load {other}; it has cpu and cpu:N");
            return Err(Failure::flag("--load", problem));
        }
    };
    machine
        .companions
        .extend(std::iter::repeat_n(Companion::Load, loads));
    Ok(machine)
}

/// In virtual time there is nobody to be shown progress, and nothing to be stopped for.
impl Observer for Collected {
    fn begins(&mut self, methods: Vec<String>, unavailable: Vec<Unavailable>) {
        self.series = methods.into_iter().map(Series::new).collect();
        self.unavailable = unavailable;
    }

    fn block(&mut self, contender: usize, series: &Series, _: u64) {
        self.series[contender] = series.clone();
    }

    fn stops(&self) -> bool {
        false
    }
}
