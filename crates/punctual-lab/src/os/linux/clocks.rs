//! Linux's clocks.

use super::super::everywhere::clocks as everywhere;
use crate::machine::{Clock, Counts, Reader};
use punctual::{Error, Native};

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// The clock that waits are measured with, and then the others.
/// <https://man7.org/linux/man-pages/man2/clock_gettime.2.html>
macro_rules! clock {
    ($id:ident, $counts:ident) => {
        Clock {
            name: stringify!($id),
            counts: Counts::$counts,
            make: |_| read(libc::$id),
        }
    };
}

pub(super) fn all() -> Vec<Clock<Native>> {
    let mut clocks = vec![
        clock!(CLOCK_MONOTONIC, Time),
        clock!(CLOCK_MONOTONIC_RAW, Time),
        clock!(CLOCK_MONOTONIC_COARSE, Time),
        clock!(CLOCK_BOOTTIME, Time),
        clock!(CLOCK_REALTIME, Time),
        clock!(CLOCK_REALTIME_COARSE, Time),
        clock!(CLOCK_TAI, Time),
    ];
    clocks.extend(everywhere());
    clocks.push(clock!(CLOCK_PROCESS_CPUTIME_ID, ProcessWork));
    clocks.push(clock!(CLOCK_THREAD_CPUTIME_ID, ThreadWork));
    clocks
}

fn read(id: libc::clockid_t) -> Result<Reader, Error> {
    nanos(id).ok_or_else(|| Error::unsupported("this kernel does not have it"))?;
    // A successful first reading means that later ones succeed.
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
