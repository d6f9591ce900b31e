//! Time in which the hypervisor ran others on our processors.

use std::fs;

/// <https://man7.org/linux/man-pages/man5/proc_stat.5.html>: the eighth number of the first line, in
/// hundredths of a second, of all processors together. `None` where nobody tells.
pub(super) fn steal_ns() -> Option<u64> {
    const NANOS_PER_TICK: u64 = 10_000_000;
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let ticks: u64 = stat.split_ascii_whitespace().nth(8)?.parse().ok()?;
    ticks.checked_mul(NANOS_PER_TICK)
}
