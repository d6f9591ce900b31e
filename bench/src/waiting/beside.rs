//! A program's waits beside something that may cost it: a tracer, or a watch.

use super::contenders::unspun;
use super::grid::Block;
use crate::statistics::Spread;
use std::time::Duration;

/// The ways of waiting: absolute `clock_nanosleep` at a slack of 1 ns, where a microsecond shows, and at Linux's
/// default, as most programs have it.
pub const WAYS: [&str; 2] = ["slack 1 ns", "slack 50 µs"];
pub const SLACKS: [Duration; 2] = [Duration::from_nanos(1), Duration::from_micros(50)];

const PERIOD: Duration = Duration::from_millis(1);

/// A block is long enough for a median and short enough for the machine's moods to meet all sides.
pub const BLOCK: Duration = Duration::from_millis(200);

/// Waits in so many blocks.
pub fn waits(blocks: u32) -> u64 {
    u64::from(blocks) * u64::from(periods())
}

fn periods() -> u32 {
    u32::try_from(BLOCK.as_nanos() / PERIOD.as_nanos()).expect("a block has few periods")
}

/// The median lateness of a block, in nanoseconds.
pub fn median(slack: Duration) -> f64 {
    let block = Block {
        period: PERIOD,
        periods: periods(),
    };
    let outcome = unspun::wait(slack, block);
    let latenesses = outcome.latenesses.iter().map(|&ns| ns as f64);
    Spread::of(latenesses.collect()).map_or(0.0, |spread| spread.median)
}
