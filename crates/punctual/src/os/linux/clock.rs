//! `CLOCK_MONOTONIC`, the clock that every absolute wait of Linux understands.

use crate::Instant;

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// Reads the clock. On common machines this is a call into the vDSO of 20-35 ns, not a system call.
pub(super) fn now() -> Instant {
    let mut reading = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `reading` is valid for writing. The call cannot fail: the clock is one that every
    // Linux has, and the pointer is good.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut reading) };
    Instant::from_nanos(natural(reading.tv_sec) * NANOS_PER_SECOND + natural(reading.tv_nsec))
}

/// A part of a reading. Neither is ever negative: the clock starts at zero and nobody can set it. Even 32 bits hold the
/// seconds of 68 years since the machine started.
fn natural(part: impl Into<i64>) -> u64 {
    part.into().unsigned_abs()
}

/// An instant as the kernel's calls take it: `struct __kernel_timespec`, which has the same 64 bits for seconds on
/// every processor. The C library's own structure has 32 on those of 32 bits.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Timespec {
    seconds: i64,
    nanos: i64,
}

/// A number below 2^35.
fn fitting(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Timespec {
    /// The seconds always fit: sixty-four bits of nanoseconds are less than 2^35 seconds. The kernel
    /// itself counts signed nanoseconds and treats what is past 292 years as its own end of time, which
    /// ends a wait early at worst, and callers wait again.
    pub(super) fn at(instant: Instant) -> Self {
        Self {
            seconds: fitting(instant.as_nanos() / NANOS_PER_SECOND),
            nanos: fitting(instant.as_nanos() % NANOS_PER_SECOND),
        }
    }
}
