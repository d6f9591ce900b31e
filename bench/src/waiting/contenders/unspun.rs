//! The system's wait alone: late, and as cheap as it gets. What others cost beyond it is their
//! spin.

use super::{Contender, LEAST_SLACK, NO_SPIN};
use crate::failure::Failure;
use crate::os::{SlackGuard, waits};
use crate::waiting::grid::{Block, Outcome, on_grid};
use punctual::Native;
use std::time::Duration;

/// Absolute `clock_nanosleep` at the least slack.
pub struct Unspun;

impl Contender for Unspun {
    fn name(&self) -> String {
        NO_SPIN.to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        Ok(wait(LEAST_SLACK, block))
    }
}

/// At any slack.
pub fn wait(slack: Duration, block: Block) -> Outcome {
    let _slack = SlackGuard::set(slack);
    let os = Native::new();
    on_grid(os.clone(), block, |deadline| {
        while os.now() < deadline {
            waits::sleep_until(deadline.as_nanos());
        }
    })
}
