//! Linux's clocks, the standard library's, and the processor's own counter.

use super::super::posix::NANOS_PER_SECOND;
use crate::clocks::{Clock, Counts, Reader};
use punctual::{Error, Native};
use std::time::Instant as StdInstant;

/// The clock that waits are measured with, then the others.
/// <https://man7.org/linux/man-pages/man2/clock_gettime.2.html>
pub(super) fn all() -> Vec<Clock<Native>> {
    let mut clocks = vec![
        clock("CLOCK_MONOTONIC", |_| read(libc::CLOCK_MONOTONIC)),
        clock("CLOCK_MONOTONIC_RAW", |_| read(libc::CLOCK_MONOTONIC_RAW)),
        clock("CLOCK_MONOTONIC_COARSE", |_| {
            read(libc::CLOCK_MONOTONIC_COARSE)
        }),
        clock("CLOCK_BOOTTIME", |_| read(libc::CLOCK_BOOTTIME)),
        clock("CLOCK_REALTIME", |_| read(libc::CLOCK_REALTIME)),
        clock("CLOCK_REALTIME_COARSE", |_| {
            read(libc::CLOCK_REALTIME_COARSE)
        }),
        clock("CLOCK_TAI", |_| read(libc::CLOCK_TAI)),
        clock("std::time::Instant", |_| Ok(standard())),
    ];
    clocks.extend(counter::offer());
    clocks.push(Clock {
        name: "CLOCK_PROCESS_CPUTIME_ID",
        counts: Counts::ProcessWork,
        make: |_| read(libc::CLOCK_PROCESS_CPUTIME_ID),
    });
    clocks.push(Clock {
        name: "CLOCK_THREAD_CPUTIME_ID",
        counts: Counts::ThreadWork,
        make: |_| read(libc::CLOCK_THREAD_CPUTIME_ID),
    });
    clocks
}

fn clock(name: &'static str, make: fn(&Native) -> Result<Reader, Error>) -> Clock<Native> {
    Clock {
        name,
        counts: Counts::Time,
        make,
    }
}

fn read(id: libc::clockid_t) -> Result<Reader, Error> {
    nanos(id).ok_or_else(|| Error::unsupported("this kernel does not have it"))?;
    // What can be read once can be read again.
    Ok(Reader::new(1.0, move || nanos(id).unwrap_or_default()))
}

/// `None` if the kernel has no such clock.
fn nanos(id: libc::clockid_t) -> Option<u64> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for writing.
    let result = unsafe { libc::clock_gettime(id, &raw mut time) };
    let nanos = time.tv_sec.unsigned_abs() * NANOS_PER_SECOND + time.tv_nsec.unsigned_abs();
    (result == 0).then_some(nanos)
}

/// It tells only how far two of its readings are apart.
fn standard() -> Reader {
    let start = StdInstant::now();
    Reader::new(1.0, move || {
        u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    })
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use crate::clocks::{Clock, Counts, Reader};
    use punctual::Native;
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    use std::sync::Arc;

    /// The time-stamp counter. No call tells how long its counts are.
    /// <https://www.felixcloutier.com/x86/rdtsc>
    pub(super) fn offer() -> Option<Clock<Native>> {
        Some(Clock {
            name: "rdtsc",
            counts: Counts::Time,
            make: |_| {
                Ok(Reader {
                    read: Arc::new(read),
                    unit_ns: None,
                    bits: u64::BITS,
                })
            },
        })
    }

    /// Not before what the program did before: without the fence, the processor may read the
    /// counter ahead of it.
    fn read() -> u64 {
        // SAFETY: every x86_64 has the instruction.
        unsafe { _mm_lfence() };
        // SAFETY: every x86_64 has it, and Linux permits it to programs unless one has forbidden
        // it to itself (PR_SET_TSC).
        unsafe { _rdtsc() }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod counter {
    use crate::clocks::Clock;
    use punctual::Native;

    /// None that programs may read everywhere.
    pub(super) fn offer() -> Option<Clock<Native>> {
        None
    }
}
