//! What was found out about clocks, as versioned JSON. Units are in the names of the keys.

use super::{Across, Examined, Question};
use crate::Environment;
use crate::machine::{Counts, Unavailable};
use serde::{Deserialize, Serialize};

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.clocks/2";

/// What was found out.
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
    /// Whether the comparison of rates was cut short.
    pub interrupted: bool,
    /// Clocks that this machine does not have.
    pub unavailable: Vec<Unavailable>,
    /// Each clock once; rates are by the first.
    pub clocks: Vec<ClockRecord>,
}

/// What was found out about one clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// Its name.
    pub clock: String,
    /// What it counts: `time`, `process` or `thread` (their processor time).
    pub counts: String,
    /// The length of one count: as the system states it, or else as measured.
    pub unit_ns: Option<f64>,
    /// The least change between two readings, which is no finer than a reading takes.
    pub least_step_ns: Option<f64>,
    /// Half the changes between two readings were at most this.
    pub median_step_ns: Option<f64>,
    /// What one reading costs.
    pub cost_ns: f64,
    /// Readings of several processors against each other.
    pub across: Option<AcrossRecord>,
    /// By how many millionths it goes faster than the first clock; negative if slower.
    pub rate_ppm: Option<f64>,
    /// How far off that may be.
    pub rate_uncertainty_ppm: Option<f64>,
}

/// Readings of several processors against each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AcrossRecord {
    /// How many processors took part.
    pub processors: usize,
    /// How often a reading was compared with another processor's.
    pub compared: u64,
    /// How often it was behind.
    pub back: u64,
    /// How far behind at most.
    pub furthest_back_ns: Option<f64>,
    /// Clocks that differ by less than this cannot be told apart.
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
            // Clocks of two processors cannot differ by less than a step.
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
