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
use punctual_windows::personas::{Persona, named};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Follows the computation, from several threads.
pub trait Observer: Send + Sync + 'static {
    /// This many cells are done.
    fn reach(&self, done: u64);

    /// Whether to stop.
    fn stops(&self) -> bool;
}

/// Why there is no table.
#[derive(Debug)]
pub enum Error {
    /// A persona or a machine is not known.
    Unknown(String),
    /// A machine could not run, or a wait on it failed.
    Failed {
        /// The persona.
        persona: String,
        /// The machine.
        machine: String,
        /// Why.
        reason: String,
    },
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

    /// The personas. The error lists all that there are.
    fn programs(&self) -> Result<Vec<Persona>, String> {
        self.personas.iter().map(|id| named(id)).collect()
    }

    /// The machines with their companions.
    fn simulated(&self) -> Result<Vec<SimulatedMachine>, String> {
        let machine = |name: &String| {
            let mut machine: SimulatedMachine = name.parse()?;
            machine.companions = self.with.iter().copied().map(Into::into).collect();
            Ok(machine)
        };
        self.machines.iter().map(machine).collect()
    }
}

/// Simulates every row on every machine on which its runtime runs. The number of cells is the number
/// of rows times that of machines.
///
/// # Errors
/// If a name of the question is not known, or if a machine cannot run.
pub fn run(question: &Question, observer: Arc<dyn Observer>) -> Result<Recording, Error> {
    let personas = question.programs().map_err(Error::Unknown)?;
    let machines = question.simulated().map_err(Error::Unknown)?;
    let work = Work {
        question,
        personas: &personas,
        machines: &machines,
        observer: &observer,
        next: AtomicUsize::new(0),
        cells: Mutex::new(vec![None; personas.len() * machines.len()]),
        failed: Mutex::new(None),
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work.take_part());
        }
    });
    if let Some(error) = into_inner(work.failed) {
        return Err(error);
    }
    let cells = into_inner(work.cells);
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

/// A thread that panicked has left what it held as it was.
fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The table while it is filled.
struct Work<'a> {
    question: &'a Question,
    personas: &'a [Persona],
    machines: &'a [SimulatedMachine],
    observer: &'a Arc<dyn Observer>,
    next: AtomicUsize,
    cells: Mutex<Vec<Option<Cell>>>,
    failed: Mutex<Option<Error>>,
}

impl Work<'_> {
    /// Fills cells until there are no more.
    fn take_part(&self) {
        let all = self.personas.len() * self.machines.len();
        while !self.observer.stops() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= all {
                return;
            }
            match self.cell(index) {
                Ok(cell) => {
                    if let Ok(mut cells) = self.cells.lock() {
                        cells[index] = cell;
                    }
                }
                Err(error) => {
                    if let Ok(mut failed) = self.failed.lock() {
                        failed.get_or_insert(error);
                    }
                    return;
                }
            }
            self.observer.reach(index as u64 + 1);
        }
    }

    fn cell(&self, index: usize) -> Result<Option<Cell>, Error> {
        let persona = &self.personas[index / self.machines.len()];
        let machine = &self.machines[index % self.machines.len()];
        if !persona.runs_on(machine.version.name) {
            return Ok(None);
        }
        let failed = |reason: String| Error::Failed {
            persona: persona.id.to_owned(),
            machine: machine.to_string(),
            reason,
        };
        let asked = self.asked(persona, machine);
        let last = Last {
            taken: None,
            observer: Arc::clone(self.observer),
        };
        let seed = self.question.seed;
        let ran = machine.ask(seed, &asked, last);
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

    fn asked(&self, persona: &Persona, machine: &SimulatedMachine) -> calls::Question {
        calls::Question {
            waiters: vec![persona.id.to_owned()],
            conditions: self.question.conditions(),
            on: Some(Simulated {
                machine: machine.to_string(),
                seed: self.question.seed,
            }),
            ..calls::Question::of(Lengths {
                at: self.question.at,
                count: self.question.count,
                ..Lengths::of(vec![self.question.length])
            })
        }
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(reason) => f.write_str(reason),
            Self::Failed {
                persona,
                machine,
                reason,
            } => write!(f, "{persona} on {machine}: {reason}"),
        }
    }
}

impl std::error::Error for Error {}
