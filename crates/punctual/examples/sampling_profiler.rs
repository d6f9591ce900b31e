//! A sampling profiler's loop: 2000 samples a second, for one second.
//!
//! Shows: a `Ticker` on a `Sleeper` that never spins. A profiler must not take the processor from
//! whatever it looks at, and it must know which samples are missing, or its percentages lie.

use punctual::{LatenessStats, Period, Sleeper, Ticker};

const SAMPLES_PER_SECOND: u64 = 2_000;

fn main() {
    let sleeper = Sleeper::new().coarse();
    let samples = Ticker::with_sleeper(sleeper, Period::from_hertz(SAMPLES_PER_SECOND));
    let mut stats = LatenessStats::new();
    for sample in samples.take_while(|sample| sample.index < SAMPLES_PER_SECOND) {
        // Here a stack would be walked, and count for the missed samples, too.
        stats.record(sample);
    }
    let summary = stats.summary();
    println!("{} samples: {summary}", summary.count);
}
