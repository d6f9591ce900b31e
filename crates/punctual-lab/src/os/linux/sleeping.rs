//! The call that sleeps until an absolute time.

use super::timespec_at;
use crate::machine::{Method, Offer};
use punctual::{Instant, Native};
use std::ptr;

/// <https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html>
pub(super) const CLOCK_NANOSLEEP: Offer<Native> = Offer {
    name: "clock-nanosleep",
    summary: "clock_nanosleep until the deadline (absolute, CLOCK_MONOTONIC)",
    slack_applies: true,
    make: |os, _| Ok(Box::new(ClockNanosleep(os.clone()))),
};

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
