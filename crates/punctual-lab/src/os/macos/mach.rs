//! The call that sleeps until a count of `mach_absolute_time`.

use crate::machine::{Method, Offer};
use punctual::{Instant, Native};
use std::ffi::c_int;

/// <https://developer.apple.com/library/archive/technotes/tn2169/_index.html>
pub(super) const MACH_WAIT_UNTIL: Offer<Native> = Offer {
    name: "mach-wait-until",
    summary: "mach_wait_until the deadline (absolute)",
    slack_applies: true,
    make: |os, _| Ok(Box::new(MachWaitUntil(os.clone()))),
};

unsafe extern "C" {
    /// <https://developer.apple.com/documentation/kernel/1462446-mach_absolute_time> has the clock;
    /// the call itself is in `mach/mach_time.h`.
    safe fn mach_wait_until(deadline: u64) -> c_int;
}

struct MachWaitUntil(Native);

impl Method for MachWaitUntil {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        // It fails only by ending early, which the clock shows.
        mach_wait_until(self.0.mach_absolute_time_at(deadline));
        self.0.now()
    }
}
