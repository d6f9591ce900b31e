//! The experiment of "The Great Rule Change": another process requests an interval, and this
//! process, which requests none, measures the effect on itself. The request can also come from this
//! process or from its parent.
//!
//! The measuring process is written once for every Windows. On this machine the requester is a
//! child process, or this process itself ([`native_row`]). On simulated machines everything is
//! simulated (`simulated`, feature `sim`).

mod process;
#[cfg(feature = "sim")]
pub mod simulated;

pub use process::{Measured, Problem, measure};

use crate::children::{measure_in, start_companion};
use crate::conditions::{Companion, Standing};
use crate::confidence::Confidence;
use crate::machine::Request;
use crate::nanos;
use crate::question::written;
use crate::resolution::Held;
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_data::distribution::Distribution;
use punctual_windows::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.sweep/3";

/// The value of [`MachineSweep::version`] for the machine that this program runs on.
pub const NATIVE: &str = "native";

/// Sweeps over several machines, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepRecording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The question.
    pub question: Question,
    /// The number of samples, of one second each, behind each mean.
    pub samples: u32,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// The results of each machine.
    pub machines: Vec<MachineSweep>,
}

/// A sweep over one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineSweep {
    /// The machine, by its name.
    pub machine: String,
    /// Its version of Windows, or [`NATIVE`].
    pub version: String,
    /// A row per interval, in the requested order.
    pub rows: Vec<Row>,
}

/// The effect of one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The requested interval.
    pub requested_ns: u64,
    /// The interval in force, from `NtQueryTimerResolution`.
    pub interval_ns: u64,
    /// The smallest and the largest step of `timeGetTime` that was seen.
    pub time_get_time_steps_ms: (u32, u32),
    /// What the article's program prints, before it rounds: 1000 / the number of sleeps until
    /// `timeGetTime` had advanced by at least 1000. It is up to a tenth below the mean.
    pub article_mean_ms: f64,
    /// The duration of `Sleep(1)`, by the performance counter.
    pub sleep_1: Distribution,
    /// Samples that were discarded because the interval in force changed during or after them.
    pub samples_thrown_away: u32,
    /// After how many intervals, rounded, `Sleep(1)` ended, each with its count.
    pub ended_after_intervals: Vec<(u64, u64)>,
    /// What is published about this mean, if anything is.
    pub published: Option<Published>,
    /// How far this mean can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

/// A published mean, and whether this sweep agrees with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// The case among the evidence.
    pub case: String,
    /// The smallest mean that agrees with it.
    pub from_ms: f64,
    /// The largest mean that agrees with it.
    pub to_ms: f64,
    /// Whether it was measured while other programs slept, too.
    pub others_slept: bool,
    /// Whether this sweep's mean agrees.
    pub agrees: bool,
}

impl Row {
    pub(crate) fn of(requested: Duration, measured: &Measured) -> Self {
        Self {
            requested_ns: nanos(requested),
            interval_ns: nanos(measured.interval),
            time_get_time_steps_ms: measured.steps_ms,
            article_mean_ms: measured.article_mean_ms(),
            ended_after_intervals: measured.ended_after_intervals(),
            samples_thrown_away: measured.samples_thrown_away,
            published: None,
            confidence: None,
            sleep_1: Distribution::from(&measured.sleeps),
        }
    }
}

// The requests, the requester, and the machines.

/// How does a request for a timer interval affect the sleeps of a process?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The requester.
    pub by: By,
    /// The intervals to request, a row each.
    #[serde(rename = "intervals_ns", with = "written::many_nanos")]
    pub intervals: Vec<Duration>,
    /// Other programs and drivers on the machines.
    pub with: Vec<Companion>,
    /// How the process that sleeps stands with Windows.
    #[serde(default, skip_serializing_if = "Standing::is_usual")]
    pub standing: Standing,
    /// The machines.
    pub machines: Machines,
}

/// The machines of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Machines {
    /// The machine that this program runs on.
    Native,
    /// Simulated machines.
    Simulated {
        /// Their names, side by side.
        machines: Vec<String>,
        /// The seed of all random numbers.
        seed: u64,
    },
}

// A row on the Windows that this program runs on.

/// The effect of a request while its requester holds it. `program` is the executable to start as
/// another process, which must handle [`CHILD_SUBCOMMAND`](crate::children::CHILD_SUBCOMMAND). That
/// process is the requester, or it is the child that measures while this process requests.
///
/// # Errors
/// If a process cannot be started or ends too early, or if the interval cannot be queried or
/// requested, or keeps changing.
pub fn native_row<W: Win32Lab>(
    os: &WindowsOs<W>,
    by: By,
    requested: Duration,
    samples: u32,
    program: &Path,
) -> Result<Row, Error> {
    match by {
        By::Own => here(os.win32(), by, requested, samples),
        By::Other => {
            let other = Companion::requester(requested);
            let other = start_companion(&other, program, 0)?;
            let row = here(os.win32(), by, requested, samples);
            // If the requester ended early, it did not request for the whole time.
            other.check()?;
            row
        }
        By::Parent => {
            let _held = Held::ask(os, requested)?;
            measure_in(program, requested, samples)
        }
    }
}

/// What a child process measures while its parent requests.
pub(crate) fn on_behalf_of_a_child<W: Win32Lab>(
    win32: &W,
    requested: Duration,
    samples: u32,
) -> Result<Row, Error> {
    here(win32, By::Parent, requested, samples)
}

/// This process measures, and makes a request only if it is the requester.
fn here<W: Win32Lab>(win32: &W, by: By, requested: Duration, samples: u32) -> Result<Row, Error> {
    let measured = by.while_asking(win32, requested, || measure(win32, samples));
    let measured = measured.map_err(|problem: Problem| Error::system(problem.to_string()))?;
    Ok(Row::of(requested, &measured))
}

// The process that requests the interval.

/// The process that requests the interval while a process measures its own waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Another process.
    #[default]
    Other,
    /// The process itself.
    #[serde(rename = "self")]
    Own,
    /// The parent process, for its children. No version of Windows is known to pass a request on to
    /// child processes. On simulated machines this is another process that has already made its
    /// request.
    Parent,
}

impl By {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Other, Self::Own, Self::Parent];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Own => "self",
            Self::Parent => "parent",
        }
    }

    /// Calls `body`, under a request of this process if this process is the requester.
    pub(crate) fn while_asking<W: Win32Lab, T>(
        self,
        win32: &W,
        interval: Duration,
        body: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self != Self::Own {
            return body();
        }
        let request = Request::of(interval);
        request.begin(win32).map_err(Problem::Refused)?;
        let found = body();
        request.end(win32).map_err(Problem::Refused)?;
        found
    }
}

impl FromStr for By {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let named = Self::ALL.into_iter().find(|by| by.name() == text);
        named.ok_or_else(|| {
            Error::invalid_input(format!(
                "'{text}' is not a requester; there are other, self and parent"
            ))
        })
    }
}

/// As in "while another process requests".
impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Other => "another process",
            Self::Own => "this process itself",
            Self::Parent => "its parent process",
        })
    }
}
