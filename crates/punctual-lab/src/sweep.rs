//! The experiment of "The Great Rule Change": another process asks for an interval while this one,
//! which asks for nothing, finds out what that does to it. Or this one asks itself, or its parent
//! does.
//!
//! What one process can find out is written once for every Windows. On the one that this program
//! runs on, who asks is a process that this one starts, or this one itself ([`native_row`]); on
//! simulated machines everything is simulated (`simulated`, feature `sim`).

mod by;
mod native;
mod process;
mod question;
#[cfg(feature = "sim")]
pub mod simulated;

pub use by::By;
pub use native::native_row;
pub(crate) use native::on_behalf_of_a_child;
pub use process::{Measured, Problem, measure};
pub use question::{Machines, Question};

use crate::nanos;
use crate::statistics::Summary;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.sweep/2";

/// What [`MachineSweep::version`] is of the machine that this program runs on.
pub const NATIVE: &str = "native";

/// Sweeps over several machines, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepRecording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// What was asked.
    pub question: Question,
    /// How many samples of a second each mean is made of.
    pub samples: u32,
    /// Whether it was stopped before every request had its turn.
    pub interrupted: bool,
    /// What was found on each machine.
    pub machines: Vec<MachineSweep>,
}

/// A sweep over one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineSweep {
    /// The machine, by its name.
    pub machine: String,
    /// Its version of Windows, or [`NATIVE`].
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
    pub samples_thrown_away: u32,
    /// After how many intervals, rounded, `Sleep(1)` ended, and how often.
    pub ended_after_intervals: Vec<(u64, u64)>,
    /// What is published about this mean; nothing if it is a prediction.
    pub published: Option<Published>,
}

/// A published mean, and whether it came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// The case in the directory of evidence.
    pub case: String,
    /// The least mean that agrees with it.
    pub from_ms: f64,
    /// The largest.
    pub to_ms: f64,
    /// Whether it was measured while other programs slept, too.
    pub others_slept: bool,
    /// Whether this sweep's mean agrees.
    pub agrees: bool,
}

impl Row {
    pub(crate) fn of(
        requested: Duration,
        measured: &Measured,
        published: Option<Published>,
    ) -> Self {
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
