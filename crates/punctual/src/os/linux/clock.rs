//! `CLOCK_MONOTONIC`, the clock that every absolute wait of Linux understands.

use crate::Instant;
use crate::os::Spin;
use std::hint;
use std::thread;
use std::time::Duration;

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
    // Neither part is ever negative: the clock starts at zero and nobody can set it.
    Instant::from_nanos(
        reading.tv_sec.unsigned_abs() * NANOS_PER_SECOND + reading.tv_nsec.unsigned_abs(),
    )
}

/// An instant as the kernel's calls take it.
///
/// The seconds always fit: sixty-four bits of nanoseconds are less than 2^35 seconds. The kernel
/// itself counts signed nanoseconds and treats what is past 292 years as its own end of time, which
/// ends a wait early at worst, and callers wait again.
pub(super) fn timespec(instant: Instant) -> libc::timespec {
    let (seconds, nanos) = (
        instant.as_nanos() / NANOS_PER_SECOND,
        instant.as_nanos() % NANOS_PER_SECOND,
    );
    libc::timespec {
        tv_sec: seconds.cast_signed(),
        tv_nsec: nanos.cast_signed(),
    }
}

/// Up to here before the deadline each look at the clock is followed by a pause, which spares power
/// and a sibling hyperthread, or by a yield; from here on by neither, because a pause takes 25 ns
/// (AMD Zen 5) to 45 ns (Intel since Skylake), as much as the look itself, a yield several times
/// that, and would add to the lateness.
const LAST_STRETCH: Duration = Duration::from_micros(1);

/// Looks at the clock until the instant has come, and returns the reading that ended it.
pub(super) fn spin_until(until: Instant, spin: Spin) -> Instant {
    let last_stretch = until - LAST_STRETCH;
    while now() < last_stretch {
        match spin {
            Spin::Pause => hint::spin_loop(),
            Spin::Yield => thread::yield_now(),
        }
    }
    loop {
        let reading = now();
        if reading >= until {
            return reading;
        }
    }
}
