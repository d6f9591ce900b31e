//! A timer that is a file: armed for an absolute instant, then read.

use super::{timespec, timespec_at, unavailable};
use crate::method::{Method, Offer};
use punctual::{Instant, Native, Os};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

/// <https://man7.org/linux/man-pages/man2/timerfd_create.2.html>
pub(super) const TIMERFD: Offer<Native> = Offer {
    name: "timerfd",
    summary: "timerfd armed for the deadline, and a read; timer slack does not apply",
    slack_applies: false,
    make: |&os, _| {
        // SAFETY: no pointers; the result is checked.
        let descriptor = unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, libc::TFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(unavailable("timerfd_create", "2.6.25"));
        }
        // SAFETY: the descriptor is new and nobody else's.
        let timer = unsafe { OwnedFd::from_raw_fd(descriptor) };
        Ok(Box::new(Timerfd { os, timer }))
    },
};

struct Timerfd {
    os: Native,
    timer: OwnedFd,
}

impl Method for Timerfd {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let setting = libc::itimerspec {
            it_interval: timespec(Duration::ZERO),
            it_value: timespec_at(deadline),
        };
        let timer = self.timer.as_raw_fd();
        let mut expirations = 0_u64;
        // SAFETY: the setting is valid for reading; the old one is not asked for.
        unsafe {
            libc::timerfd_settime(
                timer,
                libc::TFD_TIMER_ABSTIME,
                &raw const setting,
                ptr::null_mut(),
            )
        };
        // SAFETY: the buffer is valid for writing eight bytes.
        unsafe {
            libc::read(
                timer,
                (&raw mut expirations).cast(),
                size_of_val(&expirations),
            )
        };
        self.os.now()
    }
}
