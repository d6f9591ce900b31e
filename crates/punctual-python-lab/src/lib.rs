//! The native module `punctually._lab`: waits on simulated machines, from `punctual-lab`.
//!
//! What comes in: a question of `punctually.simulation`. What goes out: what each wait took.
//!
//! A simulation runs on a thread of its own, and the caller waits for it with the interpreter's lock
//! released. So other threads compute meanwhile, and Ctrl-C ends it.

use errors::{InvalidInputError, SimulationError};
use punctual_lab::calls::{Lengths, Question, Taken};
use punctual_lab::confidence::Confidence;
use punctual_lab::machine::Unavailable;
use punctual_lab::observer::Observer;
use punctual_lab::question::{Conditions, Refusal, Simulated};
use punctual_lab::simulated::usual_machines;
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine as _, personas};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// In a module of their own, because the macro documents nothing.
mod errors {
    #![allow(missing_docs, reason = "errors.py has the documentation")]

    pyo3::import_exception!(punctually.errors, InvalidInputError);
    pyo3::import_exception!(punctually.errors, SimulationError);
}

/// The longest time between Ctrl-C and the end of a simulation.
const CHECK: Duration = Duration::from_millis(50);

/// The rule, what it stands on, how far it can be trusted, and the cases that say so.
type Ground = (String, String, &'static str, Vec<String>);
/// How far, the case that publishes it, what it rests on, and what is unusual about the machine.
type Trust = (&'static str, Option<String>, Vec<Ground>, Vec<String>);

/// What the waits took in nanoseconds, as 64-bit numbers in the machine's order of bytes, with the length
/// that the system was asked for and the confidence of their mean.
#[pyfunction]
#[pyo3(signature = (machine, call, length_ns, count, *, at, companions, load, request_ns, seed))]
#[expect(
    clippy::too_many_arguments,
    reason = "keywords, which the Python function names"
)]
fn simulate<'py>(
    py: Python<'py>,
    machine: String,
    call: String,
    length_ns: u64,
    count: u64,
    at: &str,
    companions: Vec<String>,
    load: &str,
    request_ns: Option<u64>,
    seed: u64,
) -> PyResult<(Bound<'py, PyBytes>, u64, Option<Trust>)> {
    let simulated = Simulated { machine, seed };
    let windows = SimulatedMachine::of(&simulated).map_err(refused)?;
    let with = companions.iter().map(|companion| companion.parse());
    let question = Question {
        waiters: vec![call],
        request: request_ns.map(Duration::from_nanos),
        conditions: Conditions {
            load: load.parse().map_err(refused)?,
            with: with.collect::<Result<_, _>>().map_err(refused)?,
            ..Conditions::default()
        },
        on: Some(simulated),
        ..Question::of(Lengths {
            at: at.parse().map_err(refused)?,
            count,
            ..Lengths::of(vec![Duration::from_nanos(length_ns)])
        })
    };
    let windows = asked(windows, &question).map_err(refused)?;
    let taken = run(py, windows, seed, question.clone())?;
    if let Some(reason) = taken.failed {
        return Err(SimulationError::new_err(reason));
    }
    let bytes: Vec<u8> = taken
        .durations_ns
        .iter()
        .flat_map(|nanos| nanos.to_ne_bytes())
        .collect();
    let trust = question
        .waits_of(taken.length)
        .of_call(&taken.call, mean(&taken.durations_ns));
    let asked_ns = u64::try_from(taken.asked.as_nanos()).unwrap_or(u64::MAX);
    Ok((PyBytes::new(py, &bytes), asked_ns, trust.map(told)))
}

/// The names of simulated machines, of personas, and of the calls of Windows.
#[pyfunction]
fn simulated_names() -> (Vec<&'static str>, Vec<&'static str>, Vec<&'static str>) {
    let machines = usual_machines();
    let machines = machines.iter().map(|machine| machine.version.name);
    let personas = personas::personas();
    let personas = personas.iter().map(|persona| persona.id);
    let calls = SimulatedOs::waiters_for(Kind::Lengths);
    let calls = calls.iter().map(|call| call.name);
    (machines.collect(), personas.collect(), calls.collect())
}

/// The machine under the conditions of the question, if all of it can be asked there.
fn asked(machine: SimulatedMachine, question: &Question) -> Result<SimulatedMachine, Refusal> {
    // The names of calls alone, without those of personas, would not help.
    if let Err(Refusal::Unknown {
        kind,
        name,
        mut known,
    }) = question.plan::<SimulatedOs>()
    {
        known.extend(personas::personas().iter().map(|persona| persona.id));
        return Err(Refusal::Unknown { kind, name, known });
    }
    question.plan::<SimulatedOs>()?;
    machine.under(&question.conditions)
}

/// Simulates without the lock, until all waits are over or a signal's handler raises.
fn run(
    py: Python<'_>,
    machine: SimulatedMachine,
    seed: u64,
    question: Question,
) -> PyResult<Taken> {
    let stop = Arc::new(AtomicBool::new(false));
    let (tell, mut told) = mpsc::channel();
    let asked = Arc::clone(&stop);
    let simulation = thread::Builder::new().name("simulation".to_owned());
    simulation.spawn(move || {
        let run = machine.run(seed, move |os| {
            let mut last = Last {
                taken: None,
                stop: asked,
            };
            question.run(&os, &mut last).map(|()| last.taken)
        });
        let taken = run.map_err(|error| error.to_string());
        let taken = taken.and_then(|run| run.value.map_err(|error| error.to_string()));
        // Nothing listens after Ctrl-C.
        let _ = tell.send(taken);
    })?;
    loop {
        // Unique, because a receiver must not be shared with the thread that this could become.
        let told = &mut told;
        match py.detach(move || told.recv_timeout(CHECK)) {
            Ok(Ok(Some(taken))) => return Ok(taken),
            Ok(Ok(None)) => return Err(SimulationError::new_err("nothing was simulated")),
            Ok(Err(reason)) => return Err(SimulationError::new_err(reason)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(SimulationError::new_err("the simulation panicked"));
            }
            Err(RecvTimeoutError::Timeout) => py
                .check_signals()
                .inspect_err(|_| stop.store(true, Ordering::Relaxed))?,
        }
    }
}

/// Keeps what was told last.
struct Last {
    taken: Option<Taken>,
    stop: Arc<AtomicBool>,
}

impl Observer<Taken> for Last {
    fn begins(&mut self, _: Vec<String>, _: Vec<Unavailable>) {}

    fn block(&mut self, _: usize, taken: &Taken, _: u64) {
        self.taken = Some(taken.clone());
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn refused(reason: impl Display) -> PyErr {
    InvalidInputError::new_err(reason.to_string())
}

fn mean(durations_ns: &[u64]) -> Duration {
    let total: u128 = durations_ns.iter().map(|&nanos| u128::from(nanos)).sum();
    let mean = total / durations_ns.len().max(1) as u128;
    Duration::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX))
}

fn told(confidence: Confidence) -> Trust {
    let grounds = confidence.rests_on.into_iter();
    let grounds =
        grounds.map(|ground| (ground.rule, ground.basis, ground.level.name(), ground.cases));
    (
        confidence.level.name(),
        confidence.case,
        grounds.collect(),
        confidence.unusual,
    )
}

#[pymodule]
fn _lab(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(simulate, module)?)?;
    module.add_function(wrap_pyfunction!(simulated_names, module)?)
}
