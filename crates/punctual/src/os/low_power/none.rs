//! A processor of which no way to rest is known that its programs may use.
//!
//! Apple's processors are among them: whether macOS lets a program wait for events, and what ends
//! such a wait, is documented nowhere.

use super::Processor;
use std::time::Duration;

/// There is none.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {}

impl Found {
    pub(super) fn detect() -> Option<Self> {
        None
    }
}

impl Processor for Found {
    fn counter(self) -> u64 {
        match self {}
    }

    fn rest(self, _: u64) {
        match self {}
    }

    fn coarse(self) -> Duration {
        match self {}
    }
}
