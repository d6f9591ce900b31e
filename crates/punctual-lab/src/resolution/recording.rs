//! What was found, as versioned JSON. Units are in the names of the keys.

use super::sweep::{Question, Row};
use super::{Observed, Requesters};
use crate::Environment;
use crate::conditions::Companion;
use crate::question::Simulated;
use serde::{Deserialize, Serialize};

/// Where something was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of Punctual that looked.
    pub punctual_version: String,
    /// The simulated machine; `None` for the machine itself.
    pub on: Option<Simulated>,
    /// Who else was there.
    pub with: Vec<Companion>,
}

/// The timer interval of a machine, or what there is in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Now {
    /// [`Now::SCHEMA`].
    pub schema: String,
    /// Where it was found.
    #[serde(flatten)]
    pub origin: Origin,
    /// The machine, its clock sources, tick rate and timer slack among the facts.
    pub environment: Environment,
    /// The interval; `None` where timers don't wait for ticks.
    pub interval: Option<Observed>,
    /// Who has asked; `None` where the system does not tell without being asked for a report.
    pub requesters: Option<Requesters>,
}

impl Now {
    /// The schema that this version writes.
    pub const SCHEMA: &str = "punctual.resolution/2";
}

/// A sweep of requests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Swept {
    /// [`Swept::SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// What was asked.
    pub question: Question,
    /// The machine.
    pub environment: Environment,
    /// Whether it was stopped before every request had its turn.
    pub interrupted: bool,
    /// What each request did.
    pub rows: Vec<Row>,
    /// The request to prefer, if there is any row.
    pub recommended_ns: Option<u64>,
}

impl Swept {
    /// The schema that this version writes.
    pub const SCHEMA: &str = "punctual.resolution-sweep/2";
}

/// Who has asked for a timer interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// [`Asked::SCHEMA`].
    pub schema: String,
    /// Where it was found.
    #[serde(flatten)]
    pub origin: Origin,
    /// The report that told, if one was given.
    pub report: Option<String>,
    /// Who.
    #[serde(flatten)]
    pub requesters: Requesters,
}

impl Asked {
    /// The schema that this version writes.
    pub const SCHEMA: &str = "punctual.requesters/2";
}
