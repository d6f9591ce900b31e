//! Waits as the kernel has them.

use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec};

/// `clock_nanosleep` until an instant, in nanoseconds of `CLOCK_MONOTONIC`.
pub fn sleep_until(instant: u64) {
    let until = Timespec {
        tv_sec: (instant / 1_000_000_000).cast_signed(),
        tv_nsec: (instant % 1_000_000_000).cast_signed(),
    };
    // A signal may end it; callers look at the clock.
    let _ = clock_nanosleep_absolute(ClockId::Monotonic, &until);
}
