//! The standard library's sleep, which is relative.

use super::{Contender, DEFAULT_SLACK};
use crate::failure::Failure;
use crate::os::SlackGuard;
use crate::waiting::grid::{Block, Outcome, on_grid};
use punctual::Native;
use std::thread;

/// `std::thread::sleep` for what is left until the deadline.
pub struct ThreadSleep;

impl Contender for ThreadSleep {
    fn name(&self) -> String {
        "std::thread::sleep".to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        let os = Native::new();
        Ok(on_grid(os.clone(), block, |deadline| {
            thread::sleep(deadline.duration_since(os.now()));
        }))
    }
}
