//! What Linux and macOS have in common.

#![allow(unsafe_code, reason = "system calls")]

pub(crate) mod process;

use crate::machine::{Method, Offer};
use punctual::{Instant, Native};
use std::ptr;
use std::time::Duration;

pub(super) const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// A duration as the kernel takes it.
pub(super) fn timespec(duration: Duration) -> libc::timespec {
    libc::timespec {
        tv_sec: duration.as_secs().try_into().unwrap_or(libc::time_t::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

/// The processor time that the calling thread has had.
pub(super) fn processor_time() -> Duration {
    let mut time = timespec(Duration::ZERO);
    // SAFETY: `time` is valid for writing. The clock is one that both systems have.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    let seconds = time.tv_sec.unsigned_abs();
    Duration::from_nanos(seconds * NANOS_PER_SECOND + time.tv_nsec.unsigned_abs())
}

/// <https://man7.org/linux/man-pages/man2/nanosleep.2.html>
/// <https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/nanosleep.2.html>
pub(super) const NANOSLEEP: Offer<Native> = Offer {
    name: "nanosleep",
    summary: "nanosleep for what remains",
    slack_applies: true,
    make: |os, _| Ok(Box::new(Nanosleep(os.clone()))),
};

struct Nanosleep(Native);

impl Method for Nanosleep {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = timespec(deadline.duration_since(self.0.now()));
        // SAFETY: the request is valid for reading; the remainder is not asked for.
        unsafe { libc::nanosleep(&raw const remaining, ptr::null_mut()) };
        self.0.now()
    }
}
