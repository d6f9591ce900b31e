//! Systems whose services this program does not know: nothing is told anything.

use super::News;
use std::time::Duration;

/// Tells nothing.
pub fn tell(_: News<'_>) {}

/// Nothing asks for signs of life.
pub fn wants_life_every() -> Option<Duration> {
    None
}

/// There is no journal with priorities.
pub fn is_journal() -> bool {
    false
}
