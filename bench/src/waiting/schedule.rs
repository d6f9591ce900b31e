//! Everyone in turn, a short block at a time: whatever the machine does to one it does to all.

use super::Condition;
use super::contenders::Contender;
use super::grid::{Block, Outcome};
use super::load::Load;
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
const LONGEST_BLOCK: u32 = 100;

/// Where others want the processors, too. After 0.1 s of a loop that yields, 1.4 times as many of the next
/// hundred waits were late as in a loop that had waited before; so the first hundred are to be a fifth.
const LONGEST_LOADED_BLOCK: u32 = 500;

/// A spread needs some blocks to be a spread of.
const FEWEST_ROUNDS: u32 = 5;

/// The share of a measurement that is warm-up, beside it.
const WARM_UP: u32 = 8;

/// Blocks of several threads, in seconds. As much warms up before each: its threads are new.
const OF_THREADS: f64 = 0.5;

impl Schedule {
    /// `seconds` for each contender, without what warms up; at least one wait.
    pub fn new(condition: Condition, seconds: f64) -> Self {
        let period = Duration::from_secs(1) / condition.rate_hertz;
        let periods_in = |seconds| {
            let periods = Duration::from_secs_f64(seconds).as_nanos() / period.as_nanos();
            u32::try_from(periods).unwrap_or(u32::MAX).max(1)
        };
        let is_alone = condition.threads == 1;
        let (all, longest) = match condition.load {
            Load::Idle => (periods_in(seconds), LONGEST_BLOCK),
            _ => (periods_in(seconds), LONGEST_LOADED_BLOCK),
        };
        let periods = match is_alone {
            true => (all / FEWEST_ROUNDS).clamp(1, longest),
            false => periods_in(OF_THREADS),
        };
        let rounds = (all / periods).max(1);
        let block = Block {
            period,
            periods,
            warm_up: if is_alone { 0 } else { periods },
            threads: condition.threads,
            beat: condition.beat,
            seed: 0,
        };
        Self {
            block,
            warm_up: if is_alone {
                rounds.div_ceil(WARM_UP)
            } else {
                0
            },
            rounds,
        }
    }

    /// Of one contender.
    pub fn turns(self) -> usize {
        (self.warm_up + self.rounds) as usize
    }

    /// The blocks of each contender.
    pub fn run(self, all: &mut [Contender], turns: &Turns) -> Result<Vec<Vec<Outcome>>, Failure> {
        turns.take(all, self.warm_up, self.rounds, |contender, seed| {
            contender.wait(Block { seed, ..self.block })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waiting::grid::Beat;

    #[test]
    fn blocks_are_short_and_there_are_several() {
        for (threads, rate_hertz, seconds, periods, rounds, warm_up) in [
            (1, 1_000, 2.0, 100, 20, 3),
            (1, 100, 2.5, 50, 5, 1),
            (1, 100, 0.4, 8, 5, 1),
            (1, 1, 0.1, 1, 1, 1),
            (200, 100, 10.0, 50, 20, 0),
        ] {
            let condition = Condition {
                rate_hertz,
                load: Load::Idle,
                threads,
                beat: Beat::InStep,
            };
            let schedule = Schedule::new(condition, seconds);
            let found = (schedule.block.periods, schedule.rounds, schedule.warm_up);
            assert_eq!(found, (periods, rounds, warm_up));
        }
    }
}
