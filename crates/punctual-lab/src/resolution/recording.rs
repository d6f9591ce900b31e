//! The findings as versioned JSON. Units are in the names of the keys.

use crate::Environment;
use crate::conditions::Companion;
use crate::confidence::Confidence;
use crate::question::Simulated;
use punctual_windows::requesters::Requesters;
use punctual_windows::resolution::Observed;
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
