//! How steadily beats were kept, as versioned JSON. Units are in the names of the keys.

use super::{Pace, Plan, Question, Second};
use crate::machine::Unavailable;
use crate::statistics::Summary;
use crate::{Environment, nanos};
use serde::{Deserialize, Serialize};

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.pace/2";

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
    /// What was asked.
    pub question: Question,
    /// What followed from that.
    pub plan: PlanRecord,
    /// Whether it was stopped before all of that was done.
    pub interrupted: bool,
    /// Ways that were asked for and that this machine does not have.
    pub unavailable: Vec<Unavailable>,
    /// How each way kept the beat; each way once.
    pub ways: Vec<PaceRecord>,
}

/// What followed from the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// How long each way had, warm-up not counted.
    pub duration_ns: u64,
    /// Beats of each way that were not counted, before those.
    pub warm_up_count: u64,
}

impl From<Plan> for PlanRecord {
    fn from(plan: Plan) -> Self {
        Self {
            duration_ns: nanos(plan.duration),
            warm_up_count: plan.warm_up(),
        }
    }
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
