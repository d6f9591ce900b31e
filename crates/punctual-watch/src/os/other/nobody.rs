//! Systems whose services this program does not know: nobody is told anything.

use std::time::Duration;

/// Nobody.
#[derive(Debug, Default)]
pub struct Starter;

impl Starter {
    /// Whoever started this process does not ask to be told.
    pub fn of_this_process() -> Self {
        Self
    }

    /// It never asks for signs of life.
    pub fn wants_life_every(&self) -> Option<Duration> {
        None
    }

    /// Tells nobody.
    pub fn ready(&self, _status: &str) {}

    /// Tells nobody.
    pub fn reloading(&self) {}

    /// Tells nobody.
    pub fn stopping(&self) {}

    /// Tells nobody.
    pub fn alive(&self) {}

    /// Tells nobody.
    pub fn status(&self, _status: &str) {}
}

/// There is no journal with priorities.
pub fn is_journal() -> bool {
    false
}
