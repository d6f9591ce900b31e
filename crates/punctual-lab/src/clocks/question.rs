//! Which clocks are examined, and for how long.

use crate::question::{Simulated, written};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What are a machine's clocks worth?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// For how long rates are compared.
    #[serde(rename = "duration_ns", with = "written::nanos")]
    pub duration: Duration,
    /// The simulated machine it is asked of; `None` for the machine this program runs on.
    pub on: Option<Simulated>,
}

/// Rates over less than this say nothing: a clock that moves with timer interrupts would move twice.
pub const SHORTEST: Duration = Duration::from_millis(50);

/// With the examination of each clock by itself, two seconds.
pub const QUICK: Duration = Duration::from_millis(500);

impl Default for Question {
    /// The machine itself; rates to a part in ten thousand, for clocks that move with timer
    /// interrupts.
    fn default() -> Self {
        Self {
            duration: Duration::from_secs(2),
            on: None,
        }
    }
}
