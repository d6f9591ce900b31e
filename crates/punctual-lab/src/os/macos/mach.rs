//! The call that sleeps until a count of `mach_absolute_time`.

use crate::waiters::{Waiter, deadlines};
use punctual::Native;
use std::ffi::c_int;

/// <https://developer.apple.com/library/archive/technotes/tn2169/_index.html>
pub(super) const MACH_WAIT_UNTIL: Waiter<Native> = Waiter::until(
    "mach-wait-until",
    "mach_wait_until the deadline (absolute)",
    |os: &Native, _| {
        let clock = os.clone();
        deadlines(os, move |deadline| {
            // It fails only by ending early, which the clock shows.
            mach_wait_until(clock.mach_absolute_time_at(deadline));
        })
    },
)
.and_lengths()
.with_slack();

unsafe extern "C" {
    /// <https://developer.apple.com/documentation/kernel/1462446-mach_absolute_time> has the clock;
    /// the call itself is in `mach/mach_time.h`.
    safe fn mach_wait_until(deadline: u64) -> c_int;
}
