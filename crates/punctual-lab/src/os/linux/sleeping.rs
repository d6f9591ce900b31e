//! The two calls that do nothing but sleep.

use super::{timespec, timespec_at};
use crate::method::{Method, Offer};
use punctual::{Instant, Native, Os};
use std::ptr;

/// <https://man7.org/linux/man-pages/man2/nanosleep.2.html>
pub(super) const NANOSLEEP: Offer<Native> = Offer {
    name: "nanosleep",
    summary: "nanosleep for what remains",
    slack_applies: true,
    make: |&os, _| Ok(Box::new(Nanosleep(os))),
};

/// <https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html>
pub(super) const CLOCK_NANOSLEEP: Offer<Native> = Offer {
    name: "clock-nanosleep",
    summary: "clock_nanosleep until the deadline (absolute, CLOCK_MONOTONIC)",
    slack_applies: true,
    make: |&os, _| Ok(Box::new(ClockNanosleep(os))),
};

struct Nanosleep(Native);

impl Method for Nanosleep {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = timespec(deadline.since(self.0.now()));
        // SAFETY: the request is valid for reading; the remainder is not asked for.
        unsafe { libc::nanosleep(&raw const remaining, ptr::null_mut()) };
        self.0.now()
    }
}

struct ClockNanosleep(Native);

impl Method for ClockNanosleep {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let until = timespec_at(deadline);
        let (clock, flags) = (libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME);
        // SAFETY: the request is valid for reading; an absolute sleep has no remainder.
        unsafe { libc::clock_nanosleep(clock, flags, &raw const until, ptr::null_mut()) };
        self.0.now()
    }
}
