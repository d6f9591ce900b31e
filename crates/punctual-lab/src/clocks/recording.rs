//! The findings about clocks as versioned JSON. Units are in the names of the keys.

use super::{Across, Examined, Question};
use crate::Environment;
use crate::confidence::Confidence;
use crate::machine::{Counts, Unavailable};
use serde::{Deserialize, Serialize};

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.clocks/3";

/// The findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClocksRecording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The machine.
    pub environment: Environment,
    /// What was asked.
    pub question: Question,
    /// Whether the comparison of rates was stopped early.
    pub interrupted: bool,
    /// Clocks that this machine lacks.
    pub unavailable: Vec<Unavailable>,
    /// How far this can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
    /// Each clock once; rates are against the first.
    pub clocks: Vec<ClockRecord>,
}

/// The findings about one clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// Its name.
    pub clock: String,
    /// What it measures: `time`, `process` or `thread` (their processor time).
    pub counts: String,
    /// The length of one count, from the system or else measured.
    pub unit_ns: Option<f64>,
    /// The smallest change between two readings. It cannot be smaller than the time of one reading.
    pub least_step_ns: Option<f64>,
    /// Half of the changes between two readings were at most this.
    pub median_step_ns: Option<f64>,
    /// The cost of one reading.
    pub cost_ns: f64,
    /// Readings of several processors against each other.
    pub across: Option<AcrossRecord>,
    /// By how many millionths it is faster than the first clock; negative if slower.
    pub rate_ppm: Option<f64>,
    /// The uncertainty of that.
    pub rate_uncertainty_ppm: Option<f64>,
}

/// Readings of several processors against each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AcrossRecord {
    /// The number of processors that took part.
    pub processors: usize,
    /// How often a reading was compared with another processor's.
    pub compared: u64,
    /// How often it was behind.
    pub back: u64,
    /// How far behind at most.
    pub furthest_back_ns: Option<f64>,
    /// Smaller differences between clocks cannot be seen.
    pub resolution_ns: Option<f64>,
}

impl From<&Examined> for ClockRecord {
    fn from(examined: &Examined) -> Self {
        let nanos = |counts: u64| examined.unit_ns.map(|unit| unit * counts as f64);
        let across = |across: &Across| AcrossRecord {
            processors: across.processors,
            compared: across.compared,
            back: across.back,
            furthest_back_ns: nanos(across.furthest_back),
            // Two processors' clocks cannot differ by less than a step.
            resolution_ns: across
                .resolution
                .zip(examined.steps)
                .and_then(|(resolution, steps)| nanos(resolution.max(steps.least))),
        };
        Self {
            clock: examined.clock.to_owned(),
            counts: match examined.counts {
                Counts::Time => "time",
                Counts::ProcessWork => "process",
                Counts::ThreadWork => "thread",
            }
            .to_owned(),
            unit_ns: examined.unit_ns,
            least_step_ns: examined.steps.and_then(|steps| nanos(steps.least)),
            median_step_ns: examined.steps.and_then(|steps| nanos(steps.median)),
            cost_ns: examined.cost_ns,
            across: examined.across.as_ref().map(across),
            rate_ppm: examined.rate.and_then(|rate| rate.ppm),
            rate_uncertainty_ppm: examined.rate.map(|rate| rate.uncertainty_ppm),
        }
    }
}
