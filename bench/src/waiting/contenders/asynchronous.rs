//! async-io, which smol and async-std wait with: a timerfd in an epoll set.

use super::{Contender, DEFAULT_SLACK};
use crate::failure::Failure;
use crate::os::{Meter, SlackGuard};
use crate::waiting::grid::{Block, Grid, Outcome};
use async_io::Timer;
use punctual::Native;

/// `async_io::Timer::at` under `async_io::block_on`.
pub struct AsyncIo;

impl Contender for AsyncIo {
    fn name(&self) -> String {
        "async-io".to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        let os = Native::new();
        Ok(async_io::block_on(async {
            // It has a thread of its own, which serves its timers when `block_on` does not.
            let mut grid = Grid::begin(os.clone(), block, Meter::Process);
            while let Some(deadline) = grid.next_deadline() {
                if let Some(deadline) = os.instant_to_std(deadline) {
                    Timer::at(deadline).await;
                }
                grid.woke();
            }
            grid.finish()
        }))
    }
}
