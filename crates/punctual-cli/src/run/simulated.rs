//! An experiment on a simulated machine, in virtual time.

use super::{Collected, Prepared, Ran};
use crate::refusal::refused;
use punctual_command::failure::Failure;
use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_lab::machine::Unavailable;
use punctual_lab::observer::Observer;
use punctual_lab::question::{Conditions, Simulated};
use punctual_lab::schedule::{Question, Schedule};
use punctual_lab::simulated::SimulatedMachine;

/// Asks a simulated machine until it has answered or is stopped.
pub fn ask<S: Schedule>(
    question: &Question<S>,
    prepared: &Prepared<S::Plan>,
    stop: &Stop,
) -> Result<Ran<S::Series>, Failure> {
    let Some(simulated) = &question.on else {
        return Err(Failure::run("no simulated machine is given"));
    };
    let machine = machine(simulated, &question.conditions)?;
    let guard = stop.guard_while_computing();
    let watched = Watched {
        collected: Collected::default(),
        progress: Progress::of("simulating", prepared.steps_of_all),
        before: prepared.steps_before,
        stop: stop.clone(),
    };
    let asked = machine.ask(simulated.seed, question, watched);
    let (environment, Watched { mut collected, .. }) = asked.map_err(Failure::run)?;
    collected.interrupted = guard.end();
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
    before: u64,
    stop: Stop,
}

impl<S: Clone + Send + 'static> Observer<S> for Watched<S> {
    fn begins(&mut self, methods: Vec<String>, unavailable: Vec<Unavailable>) {
        self.collected.begin(methods, unavailable);
    }

    fn block(&mut self, contender: usize, series: &S, done: u64) {
        self.collected.series[contender] = Some(series.clone());
        self.progress.reach(self.before.saturating_add(done));
    }

    fn interval(&mut self, interval_ns: Option<u64>) {
        self.collected.interval_ns = interval_ns;
    }

    fn stops(&self) -> bool {
        self.stop.is_asked_for()
    }
}
