//! A kernel queue's timer.

use crate::waiters::{Waiter, deadlines};
use punctual::{Error, Instant, Native};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

/// <https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kevent64.2.html>
pub(super) const KQUEUE: Waiter<Native> = Waiter::until(
    "kqueue",
    "kevent64 with an absolute EVFILT_TIMER, no leeway",
    |os: &Native, _| {
        // SAFETY: no arguments; the result is checked.
        let descriptor = unsafe { libc::kqueue() };
        if descriptor < 0 {
            let error = io::Error::last_os_error();
            return Err(Error::system(format!("kqueue failed: {error}")));
        }
        // SAFETY: the descriptor is new and only ours.
        let queue = unsafe { OwnedFd::from_raw_fd(descriptor) };
        let clock = os.clone();
        deadlines(os, move |deadline| wait(&queue, &clock, deadline))
    },
)
.and_lengths();

fn wait(queue: &OwnedFd, clock: &Native, deadline: Instant) {
    let at = clock.mach_absolute_time_at(deadline);
    let timer = libc::kevent64_s {
        ident: 0,
        filter: libc::EVFILT_TIMER,
        flags: libc::EV_ADD | libc::EV_ONESHOT,
        fflags: libc::NOTE_MACHTIME | libc::NOTE_ABSOLUTE | libc::NOTE_CRITICAL | libc::NOTE_LEEWAY,
        data: i64::try_from(at).unwrap_or(i64::MAX),
        udata: 0,
        // The leeway: none.
        ext: [0; 2],
    };
    let mut event = timer;
    let (one, flags) = (1, libc::KEVENT_FLAG_NONE);
    // SAFETY: lists with one entry each, valid for reading and writing; there is no timeout.
    unsafe {
        libc::kevent64(
            queue.as_raw_fd(),
            &raw const timer,
            one,
            &raw mut event,
            one,
            flags,
            ptr::null(),
        )
    };
}
