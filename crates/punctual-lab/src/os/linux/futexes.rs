//! Waits on a word of memory that never changes, until an absolute instant.

use super::{timespec_at, unavailable};
use crate::waiters::{Waiter, deadlines};
use punctual::{Error, Instant, Native};
use rustix::io::Errno;
use rustix::thread::futex::{self, Flags, Wait, WaitFlags, WaitvFlags};
use rustix::time::ClockId;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicU32;

/// <https://man7.org/linux/man-pages/man2/futex.2.html>
pub(super) const FUTEX: Waiter<Native> = Waiter::until(
    "futex",
    "futex FUTEX_WAIT_BITSET until the deadline",
    |os: &Native, _| {
        let word = AtomicU32::new(UNCHANGED);
        deadlines(os, move |deadline| {
            let until = timespec_at(deadline);
            // No thread wakes it: it ends with the error for a timeout.
            let _ = futex::wait_bitset(
                &word,
                Flags::PRIVATE,
                UNCHANGED,
                Some(&until),
                NonZeroU32::MAX,
            );
        })
    },
)
.and_lengths()
.with_slack();

/// <https://docs.kernel.org/userspace-api/futex2.html>
pub(super) const FUTEX_WAITV: Waiter<Native> = Waiter::until(
    "futex-waitv",
    "futex_waitv until the deadline; no timer slack",
    |os: &Native, _| {
        // An invalid wait tests whether the kernel has the call: it then returns EAGAIN.
        match waitv(&AtomicU32::new(UNCHANGED + 1), os.now()) {
            Err(Errno::AGAIN) => (),
            Err(error) => return Err(unavailable(error, "futex_waitv", "5.16")),
            Ok(_) => {
                return Err(Error::system(
                    "futex_waitv waited although the word had changed",
                ));
            }
        }
        let word = AtomicU32::new(UNCHANGED);
        deadlines(os, move |deadline| {
            // Likewise.
            let _ = waitv(&word, deadline);
        })
    },
)
.and_lengths();

/// The word's value, and the value that a wait expects.
const UNCHANGED: u32 = 0;

fn waitv(word: &AtomicU32, deadline: Instant) -> Result<usize, Errno> {
    let mut waiter = Wait::new();
    waiter.val = UNCHANGED.into();
    waiter.uaddr = word.as_ptr().cast::<std::ffi::c_void>().into();
    waiter.flags = WaitFlags::SIZE_U32 | WaitFlags::PRIVATE;
    let until = timespec_at(deadline);
    futex::waitv(
        &[waiter],
        WaitvFlags::empty(),
        Some(&until),
        ClockId::Monotonic,
    )
}
