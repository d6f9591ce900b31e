//! An absolute grid of deadlines, and what became of a block of them.

use crate::os::Meter;
use punctual::{Instant, Native};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What every contender is asked for: this many deadlines, this far apart.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub period: Duration,
    pub periods: u32,
}

/// How a block went.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// One for each wait, in nanoseconds, in order.
    pub latenesses: Vec<u64>,
    /// Deadlines that had passed when their turn came. `None`: the contender does not tell.
    pub missed: Option<u32>,
    /// How late it was, in nanoseconds, when each of those was found to have passed. Empty if the
    /// contender does not tell.
    pub passed: Vec<u64>,
    /// `None`: cannot be told from what starting the contender took.
    pub processor: Option<Duration>,
    /// Of that, what the contender says it spun.
    pub spun: Option<Duration>,
    pub elapsed: Duration,
}

/// Hands out the deadlines of a block and takes down how late each was met.
///
/// Deadline `k` is the start plus `k` periods, whatever happened before. The time that counts is
/// read when the contender has returned: what it still does after its wait is part of its lateness.
pub struct Grid {
    os: Native,
    block: Block,
    meter: Meter,
    used: Duration,
    start: Instant,
    /// The number of the deadline last handed out.
    index: u32,
    deadline: Instant,
    passed: Vec<u64>,
    latenesses: Vec<u64>,
}

impl Grid {
    pub fn begin(os: Native, block: Block, meter: Meter) -> Self {
        let latenesses = Vec::with_capacity(block.periods as usize);
        let used = meter.read();
        let start = os.now();
        Self {
            os,
            block,
            meter,
            used,
            start,
            index: 0,
            deadline: start,
            passed: Vec::new(),
            latenesses,
        }
    }

    /// Counts the periods from another start, which is still to come.
    pub fn starting_at(self, start: Instant) -> Self {
        Self { start, ..self }
    }

    /// The next deadline that has not passed, until the block is done.
    pub fn next_deadline(&mut self) -> Option<Instant> {
        self.next_after(self.os.now())
    }

    fn next_after(&mut self, now: Instant) -> Option<Instant> {
        while self.index < self.block.periods {
            self.index += 1;
            self.deadline = self.start + self.block.period * self.index;
            if now < self.deadline {
                return Some(self.deadline);
            }
            self.passed.push(self.lateness(now));
        }
        None
    }

    /// The wait for the deadline last handed out has ended.
    pub fn woke(&mut self) {
        self.woke_at(self.os.now());
    }

    fn woke_at(&mut self, now: Instant) {
        self.latenesses.push(self.lateness(now));
    }

    /// Against the deadline last looked at.
    fn lateness(&self, now: Instant) -> u64 {
        let lateness = now.duration_since(self.deadline).as_nanos();
        u64::try_from(lateness).unwrap_or(u64::MAX)
    }

    pub fn finish(self) -> Outcome {
        let now = self.os.now();
        self.finish_at(now)
    }

    fn finish_at(self, now: Instant) -> Outcome {
        Outcome {
            latenesses: self.latenesses,
            missed: u32::try_from(self.passed.len()).ok(),
            passed: self.passed,
            processor: Some(self.meter.read().saturating_sub(self.used)),
            spun: None,
            elapsed: now.duration_since(self.start),
        }
    }
}

/// A whole block with a way of waiting that blocks its thread.
pub fn on_grid(os: Native, block: Block, wait: impl FnMut(Instant)) -> Outcome {
    wait_for_all(Grid::begin(os, block, Meter::Thread), wait)
}

/// All deadlines of a grid.
pub fn wait_for_all(mut grid: Grid, mut wait: impl FnMut(Instant)) -> Outcome {
    while let Some(deadline) = grid.next_deadline() {
        wait(deadline);
        grid.woke();
    }
    grid.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Duration = Duration::from_millis(1);

    #[test]
    fn a_missed_deadline_is_skipped_and_counted() {
        let block = Block {
            period: PERIOD,
            periods: 5,
        };
        let mut grid = Grid::begin(Native::new(), block, Meter::Thread);
        let start = grid.start;
        assert_eq!(grid.next_after(start), Some(start + PERIOD));
        // Woken two and a half periods late: deadlines 2 and 3 have passed.
        let now = start + PERIOD * 7 / 2;
        grid.woke_at(now);
        assert_eq!(grid.next_after(now), Some(start + PERIOD * 4));
        let now = start + PERIOD * 4;
        grid.woke_at(now);
        assert_eq!(grid.next_after(now), Some(start + PERIOD * 5));
        let now = start + PERIOD * 5;
        grid.woke_at(now);
        assert_eq!(grid.next_after(now), None);
        let outcome = grid.finish_at(now);
        assert_eq!(outcome.latenesses, [2_500_000, 0, 0]);
        assert_eq!(outcome.missed, Some(2));
        assert_eq!(outcome.passed, [1_500_000, 500_000]);
        assert_eq!(outcome.elapsed, PERIOD * 5);
    }
}
