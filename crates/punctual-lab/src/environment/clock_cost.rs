//! What one reading of the clock costs.

use punctual::Os;
use std::time::Duration;

/// Readings in a batch: long enough that the clock's own granularity (100 ns where the hardware
/// counts at 10 MHz) is a small part of it, short enough that few batches meet an interruption.
const READINGS_PER_BATCH: u32 = 32;

/// Batches, of which the median counts: those that an interruption fell into do not.
const MOST_BATCHES: usize = 200;

/// No batch begins after this: a clock that costs a system call (1 µs) must not delay a start.
const LONGEST: Duration = Duration::from_millis(1);

/// The cost of one reading of the machine's monotonic clock, in nanoseconds: the median of many
/// small batches. Takes little more than a millisecond at most.
pub fn clock_cost_ns<O: Os>(os: &O) -> f64 {
    let start = os.now();
    let mut batches = Vec::with_capacity(MOST_BATCHES);
    loop {
        let before = os.now();
        let mut after = before;
        for _ in 0..READINGS_PER_BATCH {
            after = os.now();
        }
        batches.push(after.since(before));
        if batches.len() == MOST_BATCHES || after.since(start) >= LONGEST {
            break;
        }
    }
    batches.sort_unstable();
    let median = batches[batches.len() / 2];
    let tenths = (median * 10 / READINGS_PER_BATCH).as_nanos();
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
        assert!(os.now().since(start) < Duration::from_millis(5));
    }
}
