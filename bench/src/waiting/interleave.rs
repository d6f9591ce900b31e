//! Everyone in turn, a short block at a time: whatever the machine does to one it does to all.

use super::contenders::Contender;
use super::grid::{Block, Outcome};
use crate::failure::Failure;
use crate::progress::Progress;
use fastrand::Rng;
use std::time::Duration;

/// How long everyone is measured at one rate.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    pub block: Block,
    /// Blocks each, before any counts: caches and processors warm up, and who learns has begun to.
    pub warm_up: u32,
    /// Blocks each that count.
    pub rounds: u32,
}

/// The blocks of one contender.
#[derive(Debug)]
pub struct Series {
    pub contender: String,
    pub warm_up: Vec<Outcome>,
    pub blocks: Vec<Outcome>,
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

impl Schedule {
    /// `seconds` for each contender, in blocks of so many waits at most; at least one wait in each.
    pub fn new(rate_hertz: u32, seconds: f64, longest_block: u32) -> Self {
        let period = Duration::from_secs(1) / rate_hertz;
        let periods = periods_in(Duration::from_secs_f64(seconds), period);
        let block = Block {
            period,
            periods: (periods / FEWEST_ROUNDS).clamp(1, longest_block),
        };
        let rounds = (periods / block.periods).max(1);
        Self {
            block,
            warm_up: rounds.div_ceil(WARM_UP),
            rounds,
        }
    }

    /// For one contender.
    pub fn duration(self) -> Duration {
        self.block.period * self.block.periods * (self.warm_up + self.rounds)
    }

    /// Runs all blocks of all contenders. Every round has an order of its own, so that nobody
    /// always follows the same other.
    pub fn run(
        self,
        contenders: &mut [Box<dyn Contender>],
        progress: &Progress,
    ) -> Result<Vec<Series>, Failure> {
        let mut all: Vec<Series> = contenders
            .iter()
            .map(|contender| Series {
                contender: contender.name(),
                warm_up: Vec::new(),
                blocks: Vec::new(),
            })
            .collect();
        for round in 0..self.warm_up + self.rounds {
            for place in shuffled(contenders.len(), round) {
                let outcome = contenders[place].wait(self.block)?;
                let series = &mut all[place];
                if round < self.warm_up {
                    series.warm_up.push(outcome);
                } else {
                    series.blocks.push(outcome);
                }
                progress.advance(self.block.period * self.block.periods);
            }
        }
        Ok(all)
    }
}

fn periods_in(duration: Duration, period: Duration) -> u32 {
    u32::try_from(duration.as_nanos() / period.as_nanos()).unwrap_or(u32::MAX)
}

/// The numbers up to `count` in an order that only `round` decides.
fn shuffled(count: usize, round: u32) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    Rng::with_seed(round.into()).shuffle(&mut places);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_everybody_once_in_an_order_of_its_own() {
        let orders: Vec<_> = (0..20).map(|round| shuffled(13, round)).collect();
        for order in &orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..13).collect::<Vec<_>>());
        }
        assert_eq!(orders[7], shuffled(13, 7));
        assert_ne!(orders[7], orders[8]);
    }

    #[test]
    fn blocks_are_short_and_there_are_several() {
        for (rate, seconds, periods, rounds) in [
            (1_000, 2.0, 100, 20),
            (100, 2.5, 50, 5),
            (100, 0.4, 8, 5),
            (1, 0.1, 1, 1),
        ] {
            let schedule = Schedule::new(rate, seconds, LONGEST_BLOCK);
            assert_eq!(schedule.block.periods, periods);
            assert_eq!(schedule.rounds, rounds);
            assert!(schedule.warm_up >= 1);
        }
    }
}
