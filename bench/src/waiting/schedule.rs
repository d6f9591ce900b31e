//! Everyone in turn, a short block at a time: whatever the machine does to one it does to all.

use super::contenders::Contender;
use super::grid::{Beat, Block, Outcome};
use crate::failure::Failure;
use crate::turns::Turns;
use std::time::Duration;

/// How long everyone is measured under one condition.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    block: Block,
    /// Blocks each, before any counts: caches and processors warm up, and who learns has begun to.
    warm_up: u32,
    /// Blocks each that count.
    rounds: u32,
}

/// Long enough for processors to settle after whoever came before, short against the seconds in
/// which a machine's mood changes.
pub const LONGEST_BLOCK: u32 = 100;

/// Where others want the processors, too. After 0.1 s of a loop that yields, 1.4 times as many of the next
/// hundred waits were late as in a loop that had waited before; so the first hundred are to be a fifth.
pub const LONGEST_LOADED_BLOCK: u32 = 500;

/// A spread needs some blocks to be a spread of.
const FEWEST_ROUNDS: u32 = 5;

/// The share of a measurement that is warm-up, beside it.
const WARM_UP: u32 = 8;

/// Blocks of several threads, in seconds, and what warms up before each: its threads are new.
const OF_THREADS: f64 = 0.5;

impl Schedule {
    /// One thread: `seconds` for each contender, in blocks of so many waits at most; at least one wait in each.
    pub fn alone(rate_hertz: u32, seconds: f64, longest_block: u32) -> Self {
        let periods = periods_in(rate_hertz, seconds);
        let block = block(
            rate_hertz,
            (periods / FEWEST_ROUNDS).clamp(1, longest_block),
        );
        let rounds = (periods / block.periods).max(1);
        Self {
            block,
            warm_up: rounds.div_ceil(WARM_UP),
            rounds,
        }
    }

    /// Several threads: `seconds` for each contender, without what warms up.
    pub fn of_threads(rate_hertz: u32, seconds: f64, threads: u32, beat: Beat) -> Self {
        let block = block(rate_hertz, periods_in(rate_hertz, OF_THREADS).max(1));
        Self {
            block: Block {
                warm_up: block.periods,
                threads,
                beat,
                ..block
            },
            warm_up: 0,
            rounds: (periods_in(rate_hertz, seconds) / block.periods).max(1),
        }
    }

    /// Of one contender.
    pub fn turns(self) -> usize {
        (self.warm_up + self.rounds) as usize
    }

    /// The blocks of each contender.
    pub fn run(
        self,
        contenders: &mut [Contender],
        turns: &Turns,
    ) -> Result<Vec<Vec<Outcome>>, Failure> {
        turns.take(contenders, self.warm_up, self.rounds, |contender, seed| {
            contender.wait(Block { seed, ..self.block })
        })
    }
}

/// Of one thread.
pub fn block(rate_hertz: u32, periods: u32) -> Block {
    Block {
        period: Duration::from_secs(1) / rate_hertz,
        periods,
        warm_up: 0,
        threads: 1,
        beat: Beat::InStep,
        seed: 0,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, and both are small"
)]
fn periods_in(rate_hertz: u32, seconds: f64) -> u32 {
    (f64::from(rate_hertz) * seconds) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_short_and_there_are_several() {
        for (rate, seconds, periods, rounds) in [
            (1_000, 2.0, 100, 20),
            (100, 2.5, 50, 5),
            (100, 0.4, 8, 5),
            (1, 0.1, 1, 1),
        ] {
            let schedule = Schedule::alone(rate, seconds, LONGEST_BLOCK);
            assert_eq!((schedule.block.periods, schedule.rounds), (periods, rounds));
            assert!(schedule.warm_up >= 1);
        }
        let schedule = Schedule::of_threads(100, 10.0, 200, Beat::Staggered);
        let Schedule { block, rounds, .. } = schedule;
        assert_eq!((block.warm_up, block.periods, rounds), (50, 50, 20));
    }
}
