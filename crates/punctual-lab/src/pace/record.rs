//! The results of one waiter that kept a beat, as a recording has them. Units are in the names of the keys.

use super::Plan;
use crate::confidence::Confidence;
use punctual_data::distribution::Distribution;
use punctual_data::pace::{Pace, Second};
use punctual_data::quantity::whole_nanos;
use serde::{Deserialize, Serialize};

/// What the question meant on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// How long each way ran, without the warm-up.
    pub duration_ns: u64,
    /// Beats of each way before those, which were not counted.
    pub warm_up_count: u64,
}

impl From<Plan> for PlanRecord {
    fn from(plan: Plan) -> Self {
        Self {
            duration_ns: whole_nanos(plan.duration),
            warm_up_count: plan.warm_up(),
        }
    }
}

/// The results of one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PaceRecord {
    /// Its name.
    pub way: String,
    /// The number of intervals between beats.
    pub beats: u64,
    /// From the first counted beat to the last.
    pub elapsed_ns: u64,
    /// The average interval.
    pub average_ns: Option<f64>,
    /// By how many millionths it is longer than the requested period; negative if shorter.
    pub error_ppm: Option<f64>,
    /// How much a clock that counts these beats as periods loses in a day; negative if it gains.
    pub error_s_per_day: Option<f64>,
    /// The standard deviation of the intervals around their own average.
    pub jitter_ns: f64,
    /// Missed periods of a schedule that starts at the first beat: no beat was nearest to them.
    pub missed: u64,
    /// The share of time for which the thread had a processor, with its work, from 0 to 1.
    pub processor_share: f64,
    /// The intervals from beat to beat.
    pub intervals: Distribution,
    /// The waits themselves: from the end of the work to the beat.
    pub waits: Distribution,
    /// The pace over time: windows of one second each, or of 2, 4, … seconds in long runs, in
    /// order.
    pub stretches: Vec<StretchRecord>,
    /// How far these figures can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

/// What happened in a window of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StretchRecord {
    /// The number of beats.
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
            elapsed_ns: whole_nanos(pace.elapsed()),
            average_ns: pace.average_ns(),
            error_ppm: error.map(|share| share * 1e6),
            error_s_per_day: error.map(seconds_per_day),
            jitter_ns: pace.jitter_ns(),
            missed: pace.missed,
            processor_share: pace.processor_share(),
            intervals: Distribution::from(&pace.intervals),
            waits: Distribution::from(&pace.waits),
            stretches: pace.seconds.as_slice().iter().map(Into::into).collect(),
            confidence: None,
        }
    }
}

/// If every interval counts as one period, a day of real time contains fewer of them.
fn seconds_per_day(error: f64) -> f64 {
    SECONDS_PER_DAY * error / (1.0 + error)
}

impl From<&Second> for StretchRecord {
    fn from(second: &Second) -> Self {
        let beats = second.beats.max(1) as f64;
        Self {
            beats: second.beats,
            elapsed_ns: whole_nanos(second.elapsed),
            average_ns: second.elapsed.as_nanos() as f64 / beats,
            longest_ns: whole_nanos(second.longest),
            missed: second.missed,
        }
    }
}
