//! An experiment on a simulated machine, in virtual time.

use super::{Collected, Prepared, Ran};
use crate::refusal::refused;
use punctual_command::failure::Failure;
use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_lab::Machine;
use punctual_lab::machine::Unavailable;
use punctual_lab::observer::Observer;
use punctual_lab::question::{Conditions, Experiment, Simulated};
use punctual_lab::simulated::SimulatedMachine;
use punctual_windows::os::windows::Win32Lab;

/// Longer than any default interval. By then this process's own request has ended, and only those
/// of the companions count.
const SETTLING_MS: u32 = 100;

/// Asks a simulated machine until it has answered or is stopped.
pub fn ask<E: Experiment>(
    question: &E,
    prepared: &Prepared<E::Plan>,
    stop: &Stop,
) -> Result<Ran<E::Series>, Failure> {
    let Some(simulated) = question.on() else {
        return Err(Failure::run("no simulated machine is given"));
    };
    let machine = machine(simulated, question.conditions())?;
    let heeding = stop.heed_while_computing();
    let (asked, steps) = (question.clone(), prepared.steps);
    let stops = stop.clone();
    let run = machine.run(simulated.seed, move |os| {
        let mut environment = os.environment();
        let mut watched = Watched {
            collected: Collected::default(),
            progress: Progress::of("simulating", steps),
            stop: stops,
        };
        let outcome = asked.run(&os, &mut watched);
        // Before the first tick, no request counts.
        os.win32().sleep(SETTLING_MS);
        environment.timer_interval_ns = os.environment().timer_interval_ns;
        outcome.map(|()| (environment, watched.collected))
    });
    let (mut environment, mut collected) =
        run.map_err(Failure::run)?.value.map_err(Failure::run)?;
    environment.system = Some(format!("{machine}, simulated"));
    collected.interrupted = heeding.end();
    Ok(Ran {
        environment,
        environment_changes: Vec::new(),
        collected,
        spoiled: None,
    })
}

/// The machine that a question names, with its conditions.
pub fn machine(
    simulated: &Simulated,
    conditions: &Conditions,
) -> Result<SimulatedMachine, Failure> {
    let machine = SimulatedMachine::of(simulated).and_then(|machine| machine.under(conditions));
    // The length does not depend on the conditions.
    machine.map_err(|refusal| refused(refusal, "--duration", true))
}

/// Shows progress, and stops on request.
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
