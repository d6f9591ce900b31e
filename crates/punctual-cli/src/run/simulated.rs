//! An experiment on a simulated machine, in virtual time.

use super::{Collected, EXIT_INTERRUPTED, Ran};
use crate::failure::Failure;
use crate::progress::Progress;
use punctual::Error;
use punctual::os::windows::Win32Lab;
use punctual_lab::Machine;
use punctual_lab::measure::Observer;
use punctual_lab::recording::Unavailable;
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Longer than any default interval: by then this process's own request has ended, and only those of
/// the company count.
const SETTLING_MS: u32 = 100;

/// Runs from this seed of all chance until it is over or somebody stops it. `steps` is what its
/// observer will hear when all is done.
pub fn run<S: Clone + Send + 'static>(
    machine: &SimulatedMachine,
    seed: u64,
    steps: u64,
    stop: &Stop,
    experiment: impl FnOnce(&SimulatedOs, &mut dyn Observer<S>) -> Result<(), Error> + Send + 'static,
) -> Result<Ran<S>, Failure> {
    let stops = stop.clone();
    let run = machine.run(seed, move |os| {
        let mut environment = os.environment();
        let mut watched = Watched {
            collected: Collected::default(),
            progress: Progress::of("simulating", steps),
            stop: stops,
        };
        let outcome = experiment(&os, &mut watched);
        watched.collected.interrupted = watched.stops();
        // Before the first tick, nobody's request counted.
        os.win32().sleep(SETTLING_MS);
        environment.timer_interval_ns = os.environment().timer_interval_ns;
        outcome.map(|()| (environment, watched.collected))
    });
    stop.heed();
    let (mut environment, collected) = run.map_err(Failure::run)?.value.map_err(Failure::run)?;
    environment.system = Some(format!("{machine}, simulated"));
    Ok(Ran {
        environment,
        environment_changes: Vec::new(),
        collected,
        spoiled: None,
    })
}

/// What Ctrl-C sets.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    asked_for: Arc<AtomicBool>,
    heeded: Arc<AtomicBool>,
}

impl Stop {
    /// Whether Ctrl-C was pressed.
    pub fn is_asked_for(&self) -> bool {
        self.asked_for.load(Ordering::Relaxed)
    }

    /// The simulation is over: what it brought may take its time to be shown.
    pub fn heed(&self) {
        self.heeded.store(true, Ordering::Relaxed);
    }

    fn hear(&self) {
        let was_asked_for = self.asked_for.swap(true, Ordering::Relaxed);
        if !was_asked_for {
            thread::sleep(GRACE);
        }
        if was_asked_for || !self.heeded.load(Ordering::Relaxed) {
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    }
}

/// From now on, and once in a process: Ctrl-C ends the measurement after the wait that is being
/// simulated, or the process if that takes long (a spin of an hour takes minutes), or if it is
/// pressed again.
pub fn stop_on_ctrl_c() -> Result<Stop, Failure> {
    let stop = Stop::default();
    let hears = stop.clone();
    ctrlc::set_handler(move || hears.hear())
        .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// How long after Ctrl-C a simulation may go on.
const GRACE: Duration = Duration::from_secs(2);

/// Shows progress, and stops when asked to.
struct Watched<S> {
    collected: Collected<S>,
    progress: Progress,
    stop: Stop,
}

impl<S: Clone + Send + 'static> Observer<S> for Watched<S> {
    fn begins(&mut self, methods: Vec<String>, unavailable: Vec<Unavailable>) {
        self.collected.begin(methods, unavailable);
    }

    fn block(&mut self, contender: usize, series: &S, done: u64) {
        self.collected.series[contender] = Some(series.clone());
        self.progress.reach(done);
    }

    fn stops(&self) -> bool {
        self.stop.is_asked_for()
    }
}
