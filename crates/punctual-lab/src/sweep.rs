//! The experiment of "The Great Rule Change": another process requests an interval, and this
//! process, which requests none, measures the effect on itself. The request can also come from this
//! process or from its parent.
//!
//! The measuring process is written once for every Windows. On this machine the requester is a
//! child process, or this process itself ([`native_row`]). On simulated machines everything is
//! simulated (`simulated`, feature `sim`).

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

use crate::confidence::Confidence;
use crate::nanos;
use punctual_data::distribution::Distribution;
use serde::{Deserialize, Serialize};
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
