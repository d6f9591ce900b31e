//! Runs an experiment on the machine that its question names.

use punctual::Error;
use punctual_lab::calls::{Question, Recording, Taken};
use punctual_lab::children::{self, Running};
use punctual_lab::machine::Unavailable;
use punctual_lab::observer::Observer;
use punctual_lab::question::Simulated;
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};
use punctual_lab::{Machine as _, Native};
use std::cell::Cell;
use std::path::Path;

/// Asks a machine, and records its answer. `program` plays the companions of a machine that is not
/// simulated: see [`children`].
///
/// `stops` is asked after every wait, and ends the recording early. `done` is told the share of all
/// steps now and then.
///
/// # Errors
/// If the machine cannot answer, or a companion did not run all the time.
pub fn record(
    question: &Question,
    program: &Path,
    stops: impl Fn() -> bool + Send + 'static,
    done: impl Fn(f64) + Send + 'static,
) -> Result<Recording, Error> {
    match &question.on {
        Some(simulated) => {
            let steps = question.steps::<SimulatedOs>()?;
            let collected = Collected::of(steps, stops, done);
            let machine = machine(simulated, question)?;
            let (environment, collected) = machine.ask(simulated.seed, question, collected)?;
            Ok(Recording {
                interrupted: collected.is_stopped.get(),
                unavailable: collected.unavailable,
                ..Recording::of(
                    question,
                    question.plan::<SimulatedOs>()?,
                    &environment,
                    &collected.series,
                )
            })
        }
        None => here(question, program, stops, done),
    }
}

/// The simulated machine that a question names, with its conditions.
pub(super) fn machine(
    simulated: &Simulated,
    question: &Question,
) -> Result<SimulatedMachine, Error> {
    let machine = SimulatedMachine::of(simulated)?;
    Ok(machine.under(&question.conditions)?)
}

fn here(
    question: &Question,
    program: &Path,
    stops: impl Fn() -> bool + Send,
    done: impl Fn(f64) + Send,
) -> Result<Recording, Error> {
    let machine = Native::detect()?;
    let mut environment = machine.environment();
    let running = children::start(&question.conditions, program, &stops)?;
    let is_stopped = running.is_none();
    let running = running.unwrap_or_default();
    let mut collected = Collected::of(question.steps::<Native>()?, stops, done);
    if !is_stopped {
        question.run(&machine, &mut collected)?;
        running.iter().try_for_each(Running::check)?;
    }
    let before = environment.clone();
    if !running.is_empty() {
        // The companions' requests are part of the measured machine.
        environment.timer_interval_ns = machine.environment().timer_interval_ns;
    }
    drop(running);
    Ok(Recording {
        environment_changes: before.differences(&machine.environment()),
        interrupted: is_stopped || collected.is_stopped.get(),
        unavailable: collected.unavailable,
        ..Recording::of(
            question,
            question.plan::<Native>()?,
            &environment,
            &collected.series,
        )
    })
}

/// The series so far.
pub(super) struct Collected<S, D> {
    pub(super) series: Vec<(String, Option<Taken>)>,
    unavailable: Vec<Unavailable>,
    steps: u64,
    is_stopped: Cell<bool>,
    stops: S,
    done: D,
}

impl<S, D> Collected<S, D> {
    pub(super) fn of(steps: u64, stops: S, done: D) -> Self {
        Self {
            series: Vec::new(),
            unavailable: Vec::new(),
            steps,
            is_stopped: Cell::new(false),
            stops,
            done,
        }
    }
}

impl<S: Fn() -> bool, D: Fn(f64)> Observer<Taken> for Collected<S, D> {
    fn begins(&mut self, names: Vec<String>, unavailable: Vec<Unavailable>) {
        self.series = names.into_iter().map(|name| (name, None)).collect();
        self.unavailable = unavailable;
    }

    fn block(&mut self, index: usize, series: &Taken, done: u64) {
        self.series[index].1 = Some(series.clone());
        (self.done)(done as f64 / self.steps.max(1) as f64);
    }

    fn stops(&self) -> bool {
        let stops = (self.stops)();
        self.is_stopped.set(self.is_stopped.get() || stops);
        stops
    }
}
