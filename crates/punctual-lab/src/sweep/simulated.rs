//! The experiment of "The Great Rule Change" on simulated machines: see [`crate::sweep`].
//!
//! Each row runs on a fresh machine. So rows do not depend on each other, and a row is the same
//! whatever else was requested.

mod published;

use super::{By, MachineSweep, Problem, Published, Row, measure};
use crate::simulated::SimulatedMachine;
use punctual_sim::windows::VERSIONS;
use punctual_sim::windows::machine::Companion;
use std::fmt;
use std::time::Duration;

/// What to do on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The requester.
    pub by: By,
    /// The intervals to request, a row each.
    pub intervals: Vec<Duration>,
    /// The number of samples, of one second (of `timeGetTime`) each, behind each mean.
    pub samples: u32,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// Every simulated version of Windows on the usual hardware, oldest first.
pub fn usual_machines() -> Vec<SimulatedMachine> {
    VERSIONS.map(SimulatedMachine::usual).into()
}

/// Why a sweep failed.
#[derive(Debug)]
pub enum Error {
    /// The machine could not run.
    Machine(punctual_sim::Error),
    /// The process on it could not measure.
    Process(Problem),
}

/// Runs the experiment on one machine, for every interval of the plan. The machine's companions run
/// beside the requester.
///
/// ```
/// use punctual_lab::simulated::SimulatedMachine;
/// use punctual_lab::sweep::simulated::{self, Plan};
/// use punctual_lab::sweep::By;
/// use std::time::Duration;
///
/// let intervals = vec![Duration::from_millis(6)];
/// let plan = Plan { by: By::Other, intervals, samples: 1, seed: 1 };
/// let mean = |name: &str| {
///     let machine: SimulatedMachine = name.parse().unwrap();
///     simulated::run(&machine, &plan).unwrap().rows[0].sleep_1.mean_ns as f64 / 1e6
/// };
/// assert!((mean("windows-10-1909") - 6.0).abs() < 0.05);
/// assert!((mean("windows-10-2004") - 12.0).abs() < 0.05);
/// ```
///
/// # Errors
/// If the machine is impossible, or if its interval keeps changing.
pub fn run(machine: &SimulatedMachine, plan: &Plan) -> Result<MachineSweep, Error> {
    let intervals = plan.intervals.iter();
    let rows: Result<_, _> = intervals.map(|&asked| row(machine, plan, asked)).collect();
    Ok(MachineSweep {
        machine: machine.to_string(),
        version: machine.version.name.to_owned(),
        rows: rows?,
    })
}

fn row(machine: &SimulatedMachine, plan: &Plan, requested: Duration) -> Result<Row, Error> {
    let mut shared = machine.clone();
    if plan.by != By::Own {
        shared.companions.push(Companion::Requester {
            interval: requested,
        });
    }
    let (by, samples) = (plan.by, plan.samples);
    let run = shared.run(plan.seed, move |os| {
        by.while_asking(os.win32(), requested, || measure(os.win32(), samples))
    });
    let measured = run.map_err(Error::Machine)?.value.map_err(Error::Process)?;
    let published = Published::find(machine, plan.by, requested, measured.sleeps.mean());
    Ok(Row::of(requested, &measured, published))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine(error) => write!(f, "{error}"),
            Self::Process(problem) => write!(f, "{problem}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests;
