//! The measurement on a simulated machine: the same experiment, in virtual time.

use super::{EXIT_INTERRUPTED, Measured, check};
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::run::Collected;
use punctual_lab::measure::Observer;
use punctual_lab::recording::Unavailable;
use punctual_lab::simulated::{SimulatedCompanion, SimulatedMachine, SimulatedOs};
use punctual_lab::statistics::Series;
use punctual_lab::{Experiment, Load, Machine};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub(super) fn run(args: &MeasureArgs, machine: &SimulatedMachine) -> Result<Measured, Failure> {
    let experiment: Experiment<SimulatedOs> = check::experiment(args)?;
    check::companions::<SimulatedOs>(args)?;
    let machine = with_company(args, machine)?;
    let asked = check::asked(args, &experiment);
    let stop = stop_on_ctrl_c()?;
    let run = machine.run(args.seed, move |os| {
        let environment = os.environment();
        let mut watched = Watched {
            collected: Collected::default(),
            progress: Progress::of(experiment.waits(), "simulating {bar:40} {percent:>3} %"),
            stop,
        };
        let outcome = experiment.run(&os, &mut watched);
        watched.collected.interrupted = watched.stops();
        outcome.map(|()| (environment, watched.collected))
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
    machine.companions = args.with.iter().copied().map(Into::into).collect();
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
        .extend(std::iter::repeat_n(SimulatedCompanion::Load, loads));
    Ok(machine)
}

/// Ctrl-C ends the measurement after the wait that is being simulated, or the process if that takes
/// long: a spin of an hour takes minutes.
fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let stops = Arc::clone(&stop);
    let heard = move || {
        stops.store(true, Ordering::Relaxed);
        thread::sleep(GRACE);
        std::process::exit(EXIT_INTERRUPTED.into());
    };
    ctrlc::set_handler(heard)
        .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// How long after Ctrl-C what was measured may take to be shown.
const GRACE: Duration = Duration::from_secs(2);

/// Shows progress, and stops when asked to.
struct Watched {
    collected: Collected,
    progress: Progress,
    stop: Arc<AtomicBool>,
}

impl Observer for Watched {
    fn begins(&mut self, methods: Vec<String>, unavailable: Vec<Unavailable>) {
        self.collected.series = methods.into_iter().map(Series::new).collect();
        self.collected.unavailable = unavailable;
    }

    fn block(&mut self, contender: usize, series: &Series, waits_made: u64) {
        self.collected.series[contender] = series.clone();
        self.progress.reach(waits_made);
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
