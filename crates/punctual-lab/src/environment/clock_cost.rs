//! The cost of one reading of a clock.

use punctual::Os;
use std::hint::black_box;
use std::time::Duration;

/// Readings per batch. A batch must be long compared with the clock's step (100 ns if the hardware
/// counts at 10 MHz), and short enough that few batches are interrupted.
const READINGS_PER_BATCH: u32 = 32;

/// Batches. Their median counts, so interrupted batches do not matter.
const MOST_BATCHES: usize = 200;

/// No batch begins after this time: a clock that costs a system call (1 µs) must not delay a start.
const LONGEST: Duration = Duration::from_millis(1);

/// The cost of one reading of the machine's monotonic clock, in nanoseconds: the median of many
/// small batches. Takes little more than a millisecond at most.
pub fn clock_cost_ns<O: Os>(os: &O) -> f64 {
    // The reading that ends a batch is one of them.
    let batch = median_batch(os, READINGS_PER_BATCH - 1, &|| os.now());
    per_reading(batch)
}

/// The cost of one reading of another clock, in nanoseconds, found in the same way. `now_ns` is the
/// cost of a reading of the machine's own clock.
pub fn reading_cost_ns<O: Os, T>(os: &O, now_ns: f64, read: &dyn Fn() -> T) -> f64 {
    let batch = median_batch(os, READINGS_PER_BATCH, read);
    let own = now_ns / f64::from(READINGS_PER_BATCH);
    (per_reading(batch) - own).max(0.0)
}

/// How long so many readings take, plus one of the machine's own clock.
fn median_batch<O: Os, T>(os: &O, readings: u32, read: &dyn Fn() -> T) -> Duration {
    let start = os.now();
    let mut batches = Vec::with_capacity(MOST_BATCHES);
    loop {
        let before = os.now();
        for _ in 0..readings {
            black_box(read());
        }
        let after = os.now();
        batches.push(after.duration_since(before));
        if batches.len() == MOST_BATCHES || after.duration_since(start) >= LONGEST {
            break;
        }
    }
    batches.sort_unstable();
    batches[batches.len() / 2]
}

fn per_reading(batch: Duration) -> f64 {
    let tenths = (batch * 10 / READINGS_PER_BATCH).as_nanos();
    // Saturates at seven minutes a reading.
    f64::from(u32::try_from(tenths).unwrap_or(u32::MAX)) / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::os::VirtualOs;

    #[test]
    fn finds_the_cost_that_a_clock_was_given() {
        let os = VirtualOs::new().with_call_cost(Duration::from_nanos(25));
        assert_eq!(clock_cost_ns(&os), 25.0);
    }

    #[test]
    fn a_slow_clock_is_read_few_times() {
        let os = VirtualOs::new().with_call_cost(Duration::from_micros(100));
        let start = os.now();
        assert_eq!(clock_cost_ns(&os), 100_000.0);
        assert!(os.now().duration_since(start) < Duration::from_millis(5));
    }
}
