//! `CLOCK_MONOTONIC`, the clock that every absolute wait of Linux understands.

use crate::Instant;
use std::time::Duration;

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// Reads the clock. On common machines this is a call into the vDSO of 20-35 ns, not a system call.
pub(super) fn now() -> Instant {
    Instant::from_nanos(read(libc::CLOCK_MONOTONIC))
}

/// In nanoseconds.
fn read(clock: libc::clockid_t) -> u64 {
    let mut reading = NEVER;
    // SAFETY: `reading` is valid for writing. The call cannot fail: the clocks are ones that every
    // Linux has, and the pointer is good.
    unsafe { libc::clock_gettime(clock, &raw mut reading) };
    nanos(reading)
}

const NEVER: libc::timespec = libc::timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

fn nanos(reading: libc::timespec) -> u64 {
    natural(reading.tv_sec) * NANOS_PER_SECOND + natural(reading.tv_nsec)
}

/// The interval of ticks, if they seem to come at whole multiples of it. Linux 6.18 has them there; kernels before 6.4 may
/// not.
pub(super) fn ticks() -> Option<Duration> {
    let coarse = read(libc::CLOCK_MONOTONIC_COARSE);
    let now = read(libc::CLOCK_MONOTONIC);
    let mut interval = NEVER;
    // SAFETY: `interval` is valid for writing.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &raw mut interval) };
    let interval = nanos(interval);
    let seem = INTERVALS.contains(&interval) && may_be_at_multiples(interval, coarse, now);
    seem.then_some(Duration::from_nanos(interval))
}

/// Kernels have 100 to 1000 ticks a second.
const INTERVALS: std::ops::RangeInclusive<u64> = 1_000_000..=10_000_000;

/// How long after its instant a tick is served at the latest, but for a virtual machine that is stopped.
const LATEST: u64 = 200_000;

/// Whether a clock that steps by `interval` at each tick may do so at whole multiples of it. It shows the time of the last
/// tick less a constant shorter than the interval: if they are at multiples, then what it lacks to one.
fn may_be_at_multiples(interval: u64, coarse: u64, now: u64) -> bool {
    let lacks = (interval - coarse % interval) % interval;
    let lag = now.saturating_sub(coarse);
    (lacks..lacks + interval + LATEST).contains(&lag)
}

/// A part of a reading. Neither is ever negative: the clock starts at zero and nothing can set it. Even 32 bits hold the
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_at_multiples_are_told_from_others() {
        const INTERVAL: u64 = 4_000_000;
        for (phase, lag) in [
            (0, 3_300_000),
            (0, 0),
            (1_500_000, 3_300_000),
            (2_700_000, 400_000),
        ] {
            let seem = (0..4_000).filter(|step| {
                let now = 1_000 * INTERVAL + step * 10_007;
                let tick = (now - phase) / INTERVAL * INTERVAL + phase;
                may_be_at_multiples(INTERVAL, tick - lag, now)
            });
            let seem = seem.count();
            assert_eq!(seem == 4_000, phase == 0, "{phase} {lag}: {seem}");
            assert!(phase == 0 || seem < 3_000, "{phase} {lag}: {seem}");
        }
    }

    #[test]
    fn this_kernel_has_an_interval_if_it_has_ticks_at_multiples() {
        assert!(ticks().is_none_or(|interval| interval >= Duration::from_millis(1)));
    }
}
