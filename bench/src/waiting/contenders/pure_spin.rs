//! The other end: a whole processor for the least lateness that this clock can show.

use super::{Contender, PURE_SPIN};
use crate::failure::Failure;
use crate::waiting::grid::{Block, Outcome, on_grid};
use punctual::os::Spin;
use punctual::{Native, Os};

/// `Os::spin_until`, and no system wait at all.
pub struct PureSpin;

impl Contender for PureSpin {
    fn name(&self) -> String {
        PURE_SPIN.to_owned()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let os = Native::new();
        Ok(on_grid(os.clone(), block, |deadline| {
            os.spin_until(deadline, Spin::Pause);
        }))
    }
}
