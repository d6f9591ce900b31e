//! Systems whose services this program does not know: nobody is told anything.

use super::News;
use std::time::Duration;

/// Tells nobody.
pub fn tell(_: News<'_>) {}

/// Nobody asks for signs of life.
pub fn wants_life_every() -> Option<Duration> {
    None
}

/// There is no journal with priorities.
pub fn is_journal() -> bool {
    false
}
