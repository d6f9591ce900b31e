//! How steadily beats were kept, as versioned JSON. Units are in the names of the keys.

use super::{Pace, Second};
use crate::Environment;
use crate::load::Load;
use crate::recording::{Summary, Unavailable};
use punctual::Period;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.pace/1";

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PaceRecording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The machine as it was before the first beat.
    pub environment: Environment,
    /// In sentences, what had changed when the last beat was over.
    pub environment_changes: Vec<String>,
    /// What was asked for.
    pub asked: Asked,
    /// Whether it was stopped before all of that was done.
    pub interrupted: bool,
    /// Ways that were asked for and that this machine does not have.
    pub unavailable: Vec<Unavailable>,
    /// How each way kept the beat; each way once.
    pub ways: Vec<PaceRecord>,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The time between beats, to six digits of a nanosecond.
    pub period_ns: f64,
    /// How long each way had, warm-up not counted.
    pub duration_ns: u64,
    /// How long the loop worked after every beat.
    pub work_ns: u64,
    /// Beats of each way that were not counted, before those.
    pub warm_up_count: u64,
    /// The ways asked for.
    pub ways: Vec<String>,
    /// What else the machine was made to do.
    pub load: Load,
    /// The priority of the thread that kept the beat: `normal`, `high` or `realtime`.
    pub priority: String,
    /// The processor it was kept on, if any.
    pub pin: Option<usize>,
    /// The share of beats that `ticker` was asked to keep late at most.
    #[serde(default)]
    pub late_rate: Option<f64>,
    /// The share of time that `ticker` was allowed to spin.
    #[serde(default)]
    pub budget: Option<f64>,
    /// The simulated machine it was asked of; `None` for the machine itself.
    pub on: Option<String>,
    /// Who else was there, as the flag `--with` has it.
    pub with: Vec<String>,
    /// The interval that this process asked for in the ways whose names begin with `+`.
    pub request_ns: Option<u64>,
    /// The seed of a simulated machine's chance.
    pub seed: Option<u64>,
}

/// How one way kept the beat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PaceRecord {
    /// Its name.
    pub way: String,
    /// How many intervals there were between beats.
    pub beats: u64,
    /// From the first beat that counts to the last.
    pub elapsed_ns: u64,
    /// The average interval.
    pub average_ns: Option<f64>,
    /// By how many millionths it is longer than the period asked for; negative if shorter.
    pub error_ppm: Option<f64>,
    /// What a clock that counts these beats as periods loses in a day; negative if it gains.
    pub error_s_per_day: Option<f64>,
    /// The standard deviation of the intervals around their own average.
    pub jitter_ns: f64,
    /// Periods of a schedule from the first beat on that passed without a beat nearest to them.
    pub missed: u64,
    /// The share of time the thread had a processor, its work included, from 0 to 1.
    pub processor_share: f64,
    /// The intervals from beat to beat.
    pub intervals: Summary,
    /// The waits themselves: from the end of the work to the beat.
    pub waits: Summary,
    /// The pace over time: stretches of a second each, or of 2, 4, … in long runs, in their order.
    pub stretches: Vec<StretchRecord>,
}

/// What happened in a stretch of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StretchRecord {
    /// How many beats came.
    pub beats: u64,
    /// How long it was.
    pub elapsed_ns: u64,
    /// The average interval.
    pub average_ns: f64,
    /// The longest interval.
    pub longest_ns: u64,
    /// Periods missed.
    pub missed: u64,
}

const SECONDS_PER_DAY: f64 = 86_400.0;

impl From<&Pace> for PaceRecord {
    fn from(pace: &Pace) -> Self {
        let error = pace.error();
        Self {
            way: pace.way.clone(),
            beats: pace.beats(),
            elapsed_ns: nanos(pace.elapsed()),
            average_ns: pace.average_ns(),
            error_ppm: error.map(|share| share * 1e6),
            error_s_per_day: error.map(seconds_per_day),
            jitter_ns: pace.jitter_ns(),
            missed: pace.missed,
            processor_share: pace.processor_share(),
            intervals: Summary::from(&pace.intervals),
            waits: Summary::from(&pace.waits),
            stretches: pace.seconds.as_slice().iter().map(Into::into).collect(),
        }
    }
}

/// In a day of real time a clock that takes every interval for a period counts fewer of them.
fn seconds_per_day(error: f64) -> f64 {
    SECONDS_PER_DAY * error / (1.0 + error)
}

impl From<&Second> for StretchRecord {
    fn from(second: &Second) -> Self {
        let beats = second.beats.max(1) as f64;
        Self {
            beats: second.beats,
            elapsed_ns: nanos(second.elapsed),
            average_ns: second.elapsed.as_nanos() as f64 / beats,
            longest_ns: nanos(second.longest),
            missed: second.missed,
        }
    }
}

/// A period to a millionth of a nanosecond, where that fits.
pub fn period_ns(period: Period) -> f64 {
    const MANY: u64 = 1_000_000;
    match period.offset(MANY) {
        Some(offset) => offset.as_nanos() as f64 / MANY as f64,
        None => period.to_duration().as_nanos() as f64,
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
