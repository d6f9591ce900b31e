//! The kernel's clocks, and the processor's time stamp, by which the stub says when a wait ended.
#![allow(
    unsafe_code,
    reason = "libc's clocks and the processor's stamp have no safe form"
)]

use crate::steer::abi::Clock;
use punctual::Instant;

fn nanos(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the time is ours to write. It cannot fail: the clocks exist on every kernel with seccomp.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000) + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// Now, on the monotonic clock.
pub(crate) fn now() -> Instant {
    Instant::from_nanos(nanos(libc::CLOCK_MONOTONIC))
}

/// How far a clock is ahead of the monotonic one.
pub(crate) fn ahead(clock: Clock) -> i64 {
    let other = match clock {
        Clock::Monotonic => return 0,
        Clock::Realtime => nanos(libc::CLOCK_REALTIME),
        Clock::Boottime => nanos(libc::CLOCK_BOOTTIME),
        Clock::Tai => nanos(libc::CLOCK_TAI),
    };
    other
        .cast_signed()
        .wrapping_sub(nanos(libc::CLOCK_MONOTONIC).cast_signed())
}

fn stamp() -> u64 {
    // SAFETY: every x86-64 processor has it, and Linux lets programs use it unless they ask not to.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Makes times of stamps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stamps {
    stamp: u64,
    nanos: u64,
}

impl Stamps {
    pub(crate) fn begin() -> Self {
        Self {
            stamp: stamp(),
            nanos: nanos(libc::CLOCK_MONOTONIC),
        }
    }

    /// When a recent stamp was taken: how far back it is from now, by how fast both went since the begin.
    pub(crate) fn when(&self, then: u64) -> Instant {
        let now = Self::begin();
        let stamps = now.stamp.saturating_sub(self.stamp).max(1);
        let nanos = now.nanos.saturating_sub(self.nanos);
        let back = u128::from(now.stamp.saturating_sub(then)) * u128::from(nanos);
        let back = u64::try_from(back / u128::from(stamps)).unwrap_or(u64::MAX);
        Instant::from_nanos(now.nanos.saturating_sub(back))
    }
}
