//! The system's wait alone: late, and as cheap as it gets. What others cost beyond it is their
//! spin.

use super::{Contender, LEAST_SLACK, NO_SPIN};
use crate::failure::Failure;
use crate::os::{Nap, SlackGuard};
use crate::waiting::grid::{Block, Outcome, on_grid};
use punctual::Native;

/// Absolute `clock_nanosleep` at the least slack.
pub struct Unspun;

impl Contender for Unspun {
    fn name(&self) -> String {
        NO_SPIN.to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(LEAST_SLACK);
        let os = Native::new();
        Ok(on_grid(os.clone(), block, |deadline| {
            while os.now() < deadline {
                Nap::until(deadline);
            }
        }))
    }
}
