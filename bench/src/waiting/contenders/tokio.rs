//! tokio: a timer wheel of one millisecond.

use super::{Contender, DEFAULT_SLACK, Entry};
use crate::failure::Failure;
use crate::os::{Meter, SlackGuard};
use crate::waiting::grid::{Block, Grid, Outcome};
use punctual::Native;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep_until;

const NAME: &str = "tokio";

/// `tokio::time::sleep_until` on a current-thread runtime, which is kept.
struct Tokio(Runtime);

pub fn enter() -> Entry {
    match Builder::new_current_thread().enable_time().build() {
        Ok(runtime) => Entry::new(Tokio(runtime)),
        Err(error) => Entry::Absent {
            name: NAME.to_owned(),
            reason: format!("no runtime: {error}"),
        },
    }
}

impl Contender for Tokio {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        let os = Native::new();
        Ok(self.0.block_on(async {
            let mut grid = Grid::begin(os.clone(), block, Meter::Thread);
            while let Some(deadline) = grid.next_deadline() {
                if let Some(deadline) = os.instant_to_std(deadline) {
                    sleep_until(deadline.into()).await;
                }
                grid.woke();
            }
            grid.finish()
        }))
    }
}
