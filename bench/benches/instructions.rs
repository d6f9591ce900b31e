//! How many instructions the timer queue takes, counted under valgrind: the same on every run, so
//! that a change is the code's and not the machine's. Each benchmark does what its name says 10,000
//! times, in a queue of 10,000 timers that are due within a minute. One that takes more than its
//! limit fails: about a quarter more than was counted with Rust 1.95 on x86-64.

use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind, LibraryBenchmarkConfig};
use punctual::timers::Key;
use punctual::{Instant, Timers};
use std::hint::black_box;

const TIMERS: u64 = 10_000;

const MINUTE_NANOS: u64 = 60_000_000_000;

/// The fractional part of the golden ratio in 64 bits: its multiples lie evenly and in no order.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn deadline(index: u64) -> Instant {
    let wide = u128::from(index.wrapping_mul(GOLDEN)) * u128::from(MINUTE_NANOS);
    Instant::from_nanos(u64::try_from(wide >> 64).unwrap_or(0))
}

/// Fails with more instructions than these for each timer.
fn at_most(instructions: u64) -> LibraryBenchmarkConfig {
    let mut config = LibraryBenchmarkConfig::default();
    let mut callgrind = Callgrind::default();
    callgrind.hard_limits([(EventKind::Ir, TIMERS * instructions)]);
    config.tool(callgrind);
    config
}

/// A queue that was full before, so that its memory is there.
fn emptied() -> Timers<u64> {
    let (mut timers, _) = filled();
    timers.clear();
    timers
}

fn filled() -> (Timers<u64>, Vec<Key>) {
    let mut timers = Timers::new();
    let insert = |index| timers.insert(deadline(index), index);
    let keys = (0..TIMERS).map(insert).collect();
    (timers, keys)
}

#[library_benchmark(config = at_most(110))]
#[bench::all(emptied())]
fn insert(mut timers: Timers<u64>) -> Timers<u64> {
    for index in 0..TIMERS {
        black_box(timers.insert(deadline(index), index));
    }
    timers
}

#[library_benchmark(config = at_most(190))]
#[bench::all(filled())]
fn churn((mut timers, keys): (Timers<u64>, Vec<Key>)) -> Timers<u64> {
    for (index, key) in (TIMERS..).zip(keys) {
        black_box(timers.cancel(key));
        black_box(timers.insert(deadline(index), index));
    }
    timers
}

#[library_benchmark(config = at_most(130))]
#[bench::all(filled())]
fn cancel((mut timers, keys): (Timers<u64>, Vec<Key>)) -> Timers<u64> {
    for key in keys {
        black_box(timers.cancel(key));
    }
    timers
}

#[library_benchmark(config = at_most(270))]
#[bench::all(filled().0)]
fn expire(mut timers: Timers<u64>) -> Timers<u64> {
    while let Some(now) = timers.next_wakeup() {
        black_box(timers.pop_due(now));
    }
    timers
}

library_benchmark_group!(name = queue, benchmarks = [insert, churn, cancel, expire]);

main!(library_benchmark_groups = queue);
