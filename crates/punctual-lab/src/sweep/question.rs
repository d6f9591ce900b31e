//! Which requests are made, by whom, on which machines.

use super::By;
use crate::conditions::Companion;
use crate::question::written;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What does a request for a timer interval do to the sleeps of a process?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Who asks for the interval.
    pub by: By,
    /// What is asked for, a row each.
    #[serde(rename = "intervals_ns", with = "written::many_nanos")]
    pub intervals: Vec<Duration>,
    /// Who else is on the machines.
    pub with: Vec<Companion>,
    /// On which machines.
    pub machines: Machines,
}

/// Where a sweep is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Machines {
    /// On the one that this program runs on.
    Native,
    /// On simulated ones.
    Simulated {
        /// Their names, side by side.
        machines: Vec<String>,
        /// From which all chance follows.
        seed: u64,
    },
}
