//! Which clocks are examined, and for how long.

use crate::conditions::Companion;
use crate::question::{Simulated, written};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How good are a machine's clocks?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// How long to compare the rates.
    #[serde(rename = "duration_ns", with = "written::nanos")]
    pub duration: Duration,
    /// Other programs and drivers on the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Companion>,
    /// The simulated machine to ask; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
}

/// The shortest comparison: a clock that moves with timer interrupts moves only twice in it.
pub const SHORTEST: Duration = Duration::from_millis(50);

/// Together with the examination of each clock alone, this takes two seconds.
pub const QUICK: Duration = Duration::from_millis(500);

impl Default for Question {
    /// This machine, with rates exact to one part in ten thousand for clocks that move with timer
    /// interrupts.
    fn default() -> Self {
        Self {
            duration: Duration::from_secs(2),
            with: Vec::new(),
            on: None,
        }
    }
}
