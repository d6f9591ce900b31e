//! What Linux and macOS have in common.

pub(crate) mod process;

use crate::machine::{Method, Offer};
use punctual::{Instant, Native};
use rustix::thread::nanosleep;
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::time::Duration;

/// A duration in the kernel's form.
pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

/// The processor time that the calling thread has used.
pub(super) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// <https://man7.org/linux/man-pages/man2/nanosleep.2.html>
/// <https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/nanosleep.2.html>
pub(super) const NANOSLEEP: Offer<Native> = Offer {
    name: "nanosleep",
    summary: "nanosleep for the remaining time",
    slack_applies: true,
    make: |os, _| Ok(Box::new(Nanosleep(os.clone()))),
};

struct Nanosleep(Native);

impl Method for Nanosleep {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        // If a signal ends it, it is early, which is counted.
        let _ = nanosleep(&timespec(deadline.duration_since(self.0.now())));
        self.0.now()
    }
}
