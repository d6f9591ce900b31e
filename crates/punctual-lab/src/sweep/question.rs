//! The requests, the requester, and the machines.

use super::By;
use crate::conditions::{Companion, Standing};
use crate::question::written;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How does a request for a timer interval affect the sleeps of a process?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The requester.
    pub by: By,
    /// The intervals to request, a row each.
    #[serde(rename = "intervals_ns", with = "written::many_nanos")]
    pub intervals: Vec<Duration>,
    /// Other programs and drivers on the machines.
    pub with: Vec<Companion>,
    /// How the process that sleeps stands with Windows.
    #[serde(default, skip_serializing_if = "Standing::is_usual")]
    pub standing: Standing,
    /// The machines.
    pub machines: Machines,
}

/// The machines of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Machines {
    /// The machine that this program runs on.
    Native,
    /// Simulated machines.
    Simulated {
        /// Their names, side by side.
        machines: Vec<String>,
        /// The seed of all random numbers.
        seed: u64,
    },
}
