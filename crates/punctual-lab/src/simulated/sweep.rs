//! The experiment of "The Great Rule Change": another process asks for an interval while this one,
//! which asks for nothing, finds out what that does to it. Or this one asks itself.
//!
//! Each row is a machine of its own, fresh from its start, so that rows don't depend on each other
//! and a row is the same whatever else was asked for.

mod by;
mod process;
mod published;

pub use by::By;
pub use process::{Measured, Problem, measure};
pub use published::Published;

use super::SimulatedMachine;
use crate::recording::Summary;
use punctual::os::windows::Win32Lab;
use punctual_sim::windows::VERSIONS;
use punctual_sim::windows::machine::Companion;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.sweep/1";

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

/// Sweeps over several machines, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepRecording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// From which all chance followed.
    pub seed: u64,
    /// How many samples of a second each mean is made of.
    pub samples: u32,
    /// Who asked.
    #[serde(default)]
    pub by: By,
    /// Who else was on the machines, as `--with` takes it.
    pub with: Vec<String>,
    /// What was found on each machine.
    pub machines: Vec<MachineSweep>,
}

/// A sweep over one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineSweep {
    /// The machine, as `--on` takes it.
    pub machine: String,
    /// Its version of Windows.
    pub version: String,
    /// A row per interval, in the order asked for.
    pub rows: Vec<Row>,
}

/// What one request does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was asked for.
    pub requested_ns: u64,
    /// The interval in force, as `NtQueryTimerResolution` tells it.
    pub interval_ns: u64,
    /// The smallest and the largest step by which `timeGetTime` was seen to advance.
    pub time_get_time_steps_ms: (u32, u32),
    /// What the article's program prints, before it rounds: 1000 / sleeps until `timeGetTime` had
    /// advanced by at least 1000, which is up to a tenth below the mean.
    pub article_mean_ms: f64,
    /// How long `Sleep(1)` took, by the performance counter.
    pub sleep_1: Summary,
    /// Samples thrown away because the interval in force changed during or after them.
    #[serde(default)]
    pub samples_thrown_away: u32,
    /// After how many intervals, rounded, `Sleep(1)` ended, and how often.
    pub ended_after_intervals: Vec<(u64, u64)>,
    /// What is published about this mean; nothing if it is a prediction.
    pub published: Option<Published>,
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
/// use punctual_lab::simulated::sweep::{self, By, Plan};
/// use std::time::Duration;
///
/// let intervals = vec![Duration::from_millis(6)];
/// let plan = Plan { by: By::Other, intervals, samples: 1, seed: 1 };
/// let mean = |name: &str| {
///     let machine: SimulatedMachine = name.parse().unwrap();
///     sweep::run(&machine, &plan).unwrap().rows[0].sleep_1.mean_ns as f64 / 1e6
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

/// One row on the Windows that this program runs on, where whoever else is to ask has asked by now.
///
/// # Errors
/// If the interval cannot be queried or asked for, or does not stay put.
pub fn native_row<W: Win32Lab>(
    win32: &W,
    by: By,
    requested: Duration,
    samples: u32,
) -> Result<Row, Problem> {
    let measured = by.while_asking(win32, requested, || measure(win32, samples))?;
    Ok(Row::of(requested, &measured, None))
}

impl Row {
    fn of(requested: Duration, measured: &Measured, published: Option<Published>) -> Self {
        Self {
            requested_ns: nanos(requested),
            interval_ns: nanos(measured.interval),
            time_get_time_steps_ms: measured.steps_ms,
            article_mean_ms: measured.article_mean_ms(),
            ended_after_intervals: measured.ended_after_intervals(),
            samples_thrown_away: measured.samples_thrown_away,
            published,
            sleep_1: Summary::from(&measured.sleeps),
        }
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
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
