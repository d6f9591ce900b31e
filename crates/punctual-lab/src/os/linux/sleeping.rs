//! The call that sleeps until an absolute time.

use super::timespec_at;
use crate::machine::{Method, Offer};
use punctual::{Instant, Native};
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::ClockId;

/// <https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html>
pub(super) const CLOCK_NANOSLEEP: Offer<Native> = Offer {
    name: "clock-nanosleep",
    summary: "clock_nanosleep until the deadline (absolute)",
    slack_applies: true,
    make: |os, _| Ok(Box::new(ClockNanosleep(os.clone()))),
};

struct ClockNanosleep(Native);

impl Method for ClockNanosleep {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        // If a signal ends it, it is early, which is counted.
        let _ = clock_nanosleep_absolute(ClockId::Monotonic, &timespec_at(deadline));
        self.0.now()
    }
}
