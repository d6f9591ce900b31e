//! The experiment of "The Great Rule Change" on simulated machines: see [`crate::sweep`].
//!
//! Each row runs on a fresh machine. So rows do not depend on each other, and a row is the same
//! whatever else was requested.

use super::{By, MachineSweep, Problem, Published, Row, measure};
use crate::confidence::{Said, subject};
use crate::simulated::SimulatedMachine;
use punctual_windows::confidence::{Asked, Call, Verdict, confidence};
use punctual_windows::{Companion, VERSIONS};
use std::fmt;
use std::time::Duration;

/// What `Sleep(1)` waits.
const SLEEP_1: Duration = Duration::from_millis(1);

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
        shared.companions.push(Companion::requester(requested));
    }
    let (by, samples) = (plan.by, plan.samples);
    let run = shared.run(plan.seed, move |os| {
        by.while_asking(os.win32(), requested, || measure(os.win32(), samples))
    });
    let measured = run.map_err(Error::Machine)?.value.map_err(Error::Process)?;
    let mean = measured.sleeps.mean();
    let verdict = verdict(&shared, by, requested);
    Ok(Row {
        published: verdict.published.as_ref().map(|said| published(said, mean)),
        confidence: Some(Said(&verdict, Some(mean)).into()),
        ..Row::of(requested, &measured)
    })
}

/// What is known of the mean of `Sleep(1)` on this machine, with its companions and the requester.
fn verdict(machine: &SimulatedMachine, by: By, requested: Duration) -> Verdict {
    let asked = Asked {
        request: (by == By::Own).then_some(requested),
        ..Asked::tight(Call::Ordinary, SLEEP_1)
    };
    let mut verdict = confidence(&subject(machine), &asked);
    if by == By::Parent {
        // Nobody has published what a parent's request does.
        verdict.published = None;
    }
    verdict
}

fn published(said: &punctual_windows::confidence::Published, mean: Duration) -> Published {
    Published {
        case: said.case.to_owned(),
        from_ms: said.from_ms,
        to_ms: said.to_ms,
        others_slept: said.others_slept,
        agrees: said.agrees(mean),
    }
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
