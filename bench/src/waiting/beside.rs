//! A program's waits beside something that may cost it: a tracer, or a watch.

use super::contenders::{Contender, NO_SPIN, no_spin};
use super::figures::Figures;
use super::schedule::block;
use std::time::Duration;

/// The ways of waiting: absolute `clock_nanosleep` at a slack of 1 ns, where a microsecond shows, and at Linux's
/// default, as most programs have it.
pub const WAYS: [&str; 2] = ["slack 1 ns", "slack 50 µs"];
pub const SLACKS: [Duration; 2] = [Duration::from_nanos(1), Duration::from_micros(50)];

const HERTZ: u32 = 1_000;
const PERIODS: u32 = 200;

/// A block is long enough for a median and short enough for the machine's moods to meet all sides.
pub const BLOCK: Duration = Duration::from_millis(200);

/// Waits in so many blocks.
pub fn waits(blocks: u32) -> u64 {
    u64::from(blocks) * u64::from(PERIODS)
}

/// The median lateness of a block, in nanoseconds.
pub fn median(slack: Duration) -> f64 {
    let mut contender = Contender::calling(NO_SPIN, no_spin).with_slack(slack);
    let outcome = contender.wait(block(HERTZ, PERIODS));
    let figures = outcome.ok().and_then(|outcome| Figures::of(&[outcome]));
    figures.map_or(0.0, |figures| figures.p50_ns as f64)
}
