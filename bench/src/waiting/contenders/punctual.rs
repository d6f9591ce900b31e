//! Punctual's own sleeper.

use super::{COARSE, Contender, DEFAULT_SLACK, OWN_START, PUNCTUAL, SLICE_AS_FOUND};
use crate::failure::Failure;
use crate::os::{Meter, SlackGuard};
use crate::share::percent;
use crate::waiting::grid::{Block, Grid, Outcome, wait_for_all};
use punctual::margin::{Budget, LateRate, Margin};
use punctual::os::Slice;
use punctual::{Native, Sleeper};
use std::time::Duration;

/// `Sleeper::sleep_until` with one sleeper for all blocks.
pub struct Punctual {
    name: String,
    sleeper: Sleeper,
    /// Whether it chooses where a block starts.
    chooses: bool,
}

impl Punctual {
    /// Never spins.
    pub fn coarse() -> Self {
        Self::new(COARSE.to_owned(), Margin::coarse())
    }

    /// As it ships, but for the slice of its thread.
    pub fn with_slice_as_found() -> Self {
        let ships = Self::default();
        Self {
            name: SLICE_AS_FOUND.to_owned(),
            sleeper: ships.sleeper.with_slice(Slice::Unchanged),
            chooses: false,
        }
    }

    /// As it ships, in a loop that may choose its start, as `Ticker` does.
    pub fn with_own_start() -> Self {
        Self {
            name: OWN_START.to_owned(),
            chooses: true,
            ..Self::default()
        }
    }

    pub fn aiming_at(late_rate: LateRate, budget: Budget) -> Self {
        Self::new(
            Self::name_of(late_rate, budget),
            Margin::new(late_rate, budget),
        )
    }

    pub fn name_of(late_rate: LateRate, budget: Budget) -> String {
        let (late, budget) = (percent(late_rate.share()), percent(budget.share()));
        format!("{PUNCTUAL} {late}, at most {budget}")
    }

    fn new(name: String, margin: Margin) -> Self {
        Self {
            name,
            sleeper: Sleeper::new().with_margin(margin),
            chooses: false,
        }
    }
}

impl Default for Punctual {
    /// As it ships.
    fn default() -> Self {
        Self::new(PUNCTUAL.to_owned(), Margin::default())
    }
}

impl Contender for Punctual {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        // While the others had their blocks the budget would have filled.
        self.sleeper.resume();
        let mut spun = Duration::ZERO;
        let mut grid = Grid::begin(Native::new(), block, Meter::Thread);
        if self.chooses {
            let period = block.period.try_into()?;
            let now = self.sleeper.now();
            let start = self.sleeper.start_off_ticks(now, period);
            grid = grid.starting_at(start.at());
        }
        let outcome = wait_for_all(grid, |deadline| {
            spun += self.sleeper.sleep_until(deadline).spun;
        });
        // The others wait in the same thread, and not with its short slice.
        self.sleeper.pause();
        Ok(Outcome {
            spun: Some(spun),
            ..outcome
        })
    }
}
