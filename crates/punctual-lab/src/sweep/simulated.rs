//! The experiment of "The Great Rule Change" on simulated machines: see [`crate::sweep`].
//!
//! Each row is a machine of its own, fresh from its start, so that rows don't depend on each other
//! and a row is the same whatever else was asked for.

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
    /// Who asks.
    pub by: By,
    /// What is asked for, one row each.
    pub intervals: Vec<Duration>,
    /// How many samples of a second (of `timeGetTime`) each mean is made of.
    pub samples: u32,
    /// From which all chance follows.
    pub seed: u64,
}

/// Every simulated version of Windows on the usual hardware, oldest first.
pub fn usual_machines() -> Vec<SimulatedMachine> {
    let usual = VERSIONS.map(|version| SimulatedMachine {
        version,
        parameters: punctual_sim::windows::MachineParameters::default(),
        companions: Vec::new(),
    });
    usual.into()
}

/// Why a sweep came to nothing.
#[derive(Debug)]
pub enum Error {
    /// The machine could not run.
    Machine(punctual_sim::Error),
    /// The process on it could not measure.
    Process(Problem),
}

/// Runs the experiment on one machine, for every interval of the plan. The machine's companions are
/// there beside the process that asks.
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
/// If there can be no such machine, or its interval does not stay put.
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
