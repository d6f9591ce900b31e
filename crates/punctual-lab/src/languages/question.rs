//! The question of `languages`.

use crate::calls::When;
use crate::conditions::Companion;
use crate::question::{Conditions, written};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What does a wait of this length take in each language?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The length that programs ask for.
    #[serde(rename = "length_ns", with = "written::nanos")]
    pub length: Duration,
    /// The personas, by their names, each once.
    pub personas: Vec<String>,
    /// The simulated machines, by their names, each once.
    pub machines: Vec<String>,
    /// Other programs and drivers on the machines.
    pub with: Vec<Companion>,
    /// When each wait begins.
    pub at: When,
    /// The number of waits behind each mean.
    pub count: u64,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Question {
    /// The number of waits behind each mean unless the question says otherwise.
    pub const COUNT: u64 = 500;

    /// The conditions on the machines.
    pub fn conditions(&self) -> Conditions {
        Conditions {
            with: self.with.clone(),
            ..Conditions::default()
        }
    }
}
