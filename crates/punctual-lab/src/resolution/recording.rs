//! The findings as versioned JSON. Units are in the names of the keys.

use super::sweep::{Question, Row};
use super::{Observed, Requesters};
use crate::Environment;
use crate::conditions::Companion;
use crate::confidence::Confidence;
use crate::question::Simulated;
use serde::{Deserialize, Serialize};

/// Where something was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of Punctual that found it.
    pub punctual_version: String,
    /// The simulated machine; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
    /// The companions.
    pub with: Vec<Companion>,
}

/// The timer interval of a machine, or the facts that matter on a system without one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Now {
    /// [`Now::SCHEMA`].
    pub schema: String,
    /// Where it was found.
    #[serde(flatten)]
    pub origin: Origin,
    /// The machine. Clock sources, tick rate and timer slack are among the facts.
    pub environment: Environment,
    /// The interval; `None` if timers do not wait for ticks.
    pub interval: Option<Observed>,
    /// The requesters; `None` if the system tells them only in a report that must be requested.
    pub requesters: Option<Requesters>,
    /// How far the interval can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl Now {
    /// The schema that this version writes.
    pub const SCHEMA: &str = "punctual.resolution/4";
}

/// A sweep of requests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Swept {
    /// [`Swept::SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The question.
    pub question: Question,
    /// The machine.
    pub environment: Environment,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// The results of each request.
    pub rows: Vec<Row>,
    /// The recommended request; `None` if no request had an effect.
    pub recommended_ns: Option<u64>,
    /// How far the rows can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl Swept {
    /// The schema that this version writes.
    pub const SCHEMA: &str = "punctual.resolution-sweep/3";
}

/// The programs that have requested a timer interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// [`Asked::SCHEMA`].
    pub schema: String,
    /// Where it was found.
    #[serde(flatten)]
    pub origin: Origin,
    /// The report that was read, if one was given.
    pub report: Option<String>,
    /// The requesters.
    #[serde(flatten)]
    pub requesters: Requesters,
}

impl Asked {
    /// The schema that this version writes: a part of what [`Now`] tells.
    pub const SCHEMA: &str = Now::SCHEMA;
}
