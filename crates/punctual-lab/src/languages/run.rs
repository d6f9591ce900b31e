//! Fills the table, cell by cell, on as many threads as there are processors.

use super::{Cell, Recording, Row, SCHEMA};
use super::{LANGUAGES, Question, label_of};
use crate::calls::{self, Lengths, SeriesRecord, Taken, When};
use crate::machine::Unavailable;
use crate::observer;
use crate::question::Simulated;
use crate::schedule::Schedule;
use crate::simulated::SimulatedMachine;
use crate::simulated::usual_machines;
use punctual::Error;
use punctual_windows::personas::{Persona, named};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// Follows the computation, from several threads.
pub trait Observer: Send + Sync + 'static {
    /// This many cells are done.
    fn reach(&self, done: u64);

    /// Whether to stop.
    fn stops(&self) -> bool;
}

impl Question {
    /// Every language that the table usually has, on every version of Windows.
    pub fn of(length: Duration) -> Self {
        let machines = usual_machines();
        Self {
            length,
            personas: LANGUAGES.iter().map(|row| row.persona.to_owned()).collect(),
            machines: machines.iter().map(ToString::to_string).collect(),
            with: Vec::new(),
            at: When::default(),
            count: Self::COUNT,
            seed: 1,
        }
    }
}

/// Simulates every row on every machine on which its runtime runs. The number of cells is the number
/// of rows times that of machines.
///
/// # Errors
/// If a name of the question is not known, or if a machine cannot run.
pub fn run(question: &Question, observer: Arc<dyn Observer>) -> Result<Recording, Error> {
    let named = question.personas.iter().map(|id| named(id));
    let personas: Vec<_> = named
        .collect::<Result<_, _>>()
        .map_err(Error::invalid_input)?;
    let simulated = |name: &String| {
        let mut machine: SimulatedMachine = name.parse()?;
        machine.companions = question.with.iter().copied().map(Into::into).collect();
        Ok::<_, String>(machine)
    };
    let machines = question.machines.iter().map(simulated);
    let machines: Vec<_> = machines
        .collect::<Result<_, _>>()
        .map_err(Error::invalid_input)?;
    let of = |persona| machines.iter().map(move |machine| (persona, machine));
    let places: Vec<_> = personas.iter().flat_map(of).collect();
    let next = AtomicUsize::new(0);
    // What one thread fills, until there are no more.
    let fill = || {
        let mut filled = Vec::new();
        while !observer.stops() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(persona, machine)) = places.get(index) else {
                break;
            };
            filled.push((index, cell(question, persona, machine, &observer)?));
            observer.reach(index as u64 + 1);
        }
        Ok::<_, Error>(filled)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let filled = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(fill)).collect();
        let ended = threads.into_iter().map(ScopedJoinHandle::join);
        let ended = ended.map(|end| end.unwrap_or_else(|panic| resume_unwind(panic)));
        ended.collect::<Result<Vec<_>, _>>()
    })?;
    let mut cells = vec![None; places.len()];
    for (index, cell) in filled.into_iter().flatten() {
        cells[index] = cell;
    }
    let rows = personas.iter().zip(cells.chunks(machines.len().max(1)));
    Ok(Recording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        question: question.clone(),
        interrupted: observer.stops(),
        rows: rows.map(|(persona, cells)| row(persona, cells)).collect(),
    })
}

fn row(persona: &Persona, cells: &[Option<Cell>]) -> Row {
    let about = [persona.runtime, persona.entry, persona.versions];
    Row {
        persona: persona.id.to_owned(),
        label: label_of(persona.id),
        about: about.map(str::to_owned),
        checked: persona.checked,
        call: persona.call().to_owned(),
        request: persona.request(),
        cells: cells.to_vec(),
    }
}

fn cell(
    question: &Question,
    persona: &Persona,
    machine: &SimulatedMachine,
    observer: &Arc<dyn Observer>,
) -> Result<Option<Cell>, Error> {
    if !persona.runs_on(machine.version.name) {
        return Ok(None);
    }
    let failed = |reason: String| Error::system(format!("{} on {machine}: {reason}", persona.id));
    let asked = calls::Question {
        waiters: vec![persona.id.to_owned()],
        conditions: question.conditions(),
        on: Some(Simulated {
            machine: machine.to_string(),
            seed: question.seed,
        }),
        ..calls::Question::of(Lengths {
            at: question.at,
            count: question.count,
            ..Lengths::of(vec![question.length])
        })
    };
    let last = Last {
        taken: None,
        observer: Arc::clone(observer),
    };
    let ran = machine.ask(question.seed, &asked, last);
    let (_, last) = ran.map_err(|error| failed(error.to_string()))?;
    let records = Lengths::records(&asked, &[(String::new(), last.taken)]);
    match records.into_iter().next() {
        Some(SeriesRecord {
            failed: Some(reason),
            ..
        }) => Err(failed(reason)),
        found => Ok(found.and_then(Cell::of)),
    }
}

/// Keeps what was told last.
struct Last {
    taken: Option<Taken>,
    observer: Arc<dyn Observer>,
}

impl observer::Observer<Taken> for Last {
    fn begins(&mut self, _: Vec<String>, _: Vec<Unavailable>) {}

    fn block(&mut self, _: usize, taken: &Taken, _: u64) {
        self.taken = Some(taken.clone());
    }

    fn stops(&self) -> bool {
        self.observer.stops()
    }
}
