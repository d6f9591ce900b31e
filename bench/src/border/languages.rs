//! The languages: the same loop in each.

use super::Block;
use super::way::{MARGIN, Way};
use crate::failure::Failure;
use crate::os::foreign::{C, Cpp, Foreign, Loop, border_now};
use crate::statistics::nanos;
use punctual::margin::Margin;
use punctual::{Instant, Sleeper, Ticker};
use std::time::Duration;

/// A loop that keeps what it has learned from block to block.
pub trait Contender {
    fn language(&self) -> &'static str;

    /// How late the caller had the processor again after each wait of a block, in nanoseconds. Deadlines
    /// that have passed before their turn are skipped.
    fn wait(&mut self, block: Block) -> Result<Vec<u64>, Failure>;
}

/// Rust first, with which the others are compared.
pub fn all(way: Way) -> Result<[Box<dyn Contender>; 3], Failure> {
    Ok([
        Box::new(Rust::new(way)),
        Box::new(Loop::<C>::new(way as i32, nanos(MARGIN))?),
        Box::new(Loop::<Cpp>::new(way as i32, nanos(MARGIN))?),
    ])
}

enum Rust {
    Sleeper(Sleeper),
    Ticker(Ticker),
}

impl Rust {
    fn new(way: Way) -> Self {
        match way {
            Way::Sleeper => Self::Sleeper(Sleeper::new()),
            Way::Margin => Self::Sleeper(Sleeper::new().with_margin(Margin::fixed(MARGIN))),
            Way::Ticker => Self::Ticker(Ticker::new(Duration::from_secs(1))),
        }
    }
}

impl Contender for Rust {
    fn language(&self) -> &'static str {
        "Rust"
    }

    fn wait(&mut self, block: Block) -> Result<Vec<u64>, Failure> {
        let mut latenesses = Vec::with_capacity(block.waits as usize);
        match self {
            Self::Sleeper(sleeper) => sleep(sleeper, block, &mut latenesses),
            Self::Ticker(ticker) => tick(ticker, block, &mut latenesses),
        }
        Ok(latenesses)
    }
}

fn sleep(sleeper: &mut Sleeper, block: Block, latenesses: &mut Vec<u64>) {
    let start = now();
    for index in 1..=block.waits {
        let deadline = start + block.period * index;
        if now() >= deadline {
            continue;
        }
        sleeper.sleep_until(deadline);
        latenesses.push(since(deadline));
    }
    sleeper.pause();
}

fn tick(ticker: &mut Ticker, block: Block, latenesses: &mut Vec<u64>) {
    ticker.set_period(block.period);
    ticker.restart();
    ticker.restart_at(now() + block.period);
    let mut passed = 0;
    while passed < u64::from(block.waits) {
        let Ok(tick) = ticker.tick() else { break };
        latenesses.push(since(tick.deadline));
        passed += 1 + tick.missed;
    }
    ticker.pause();
}

fn now() -> Instant {
    Instant::from_nanos(border_now())
}

fn since(deadline: Instant) -> u64 {
    border_now() - deadline.as_nanos()
}

impl<L: Foreign> Contender for Loop<L> {
    fn language(&self) -> &'static str {
        L::NAME
    }

    fn wait(&mut self, block: Block) -> Result<Vec<u64>, Failure> {
        Ok(self.run(nanos(block.period), block.waits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_waits_for_every_deadline_that_has_not_passed() {
        let block = Block {
            period: Duration::from_micros(200),
            waits: 10,
        };
        for way in Way::ALL {
            for mut contender in all(way).unwrap() {
                let latenesses = contender.wait(block).unwrap();
                assert!((1..=10).contains(&latenesses.len()), "{latenesses:?}");
            }
        }
    }
}
