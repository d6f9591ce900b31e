//! Waiting for events that do not come, with a timeout that does.

use super::{timespec, unavailable};
use crate::method::{Method, Offer};
use punctual::{Instant, Native, Os};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

/// <https://man7.org/linux/man-pages/man2/poll.2.html> (`ppoll`: `poll` itself counts milliseconds)
pub(super) const POLL: Offer<Native> = Offer {
    name: "poll",
    summary: "ppoll on nothing, timing out after what remains",
    slack_applies: true,
    make: |&os, _| Ok(Box::new(Poll(os))),
};

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_PWAIT2: Offer<Native> = Offer {
    name: "epoll-pwait2",
    summary: "epoll_pwait2 on nothing, timing out after what remains",
    slack_applies: true,
    make: |&os, _| {
        // SAFETY: no pointers; the result is checked.
        let descriptor = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        if descriptor < 0 {
            return Err(unavailable("epoll_create1", "2.6.27"));
        }
        // SAFETY: the descriptor is new and nobody else's.
        let epoll = unsafe { OwnedFd::from_raw_fd(descriptor) };
        let method = EpollPwait2 { os, epoll };
        if method.wait(&timespec(std::time::Duration::ZERO)) < 0 {
            return Err(unavailable("epoll_pwait2", "5.11"));
        }
        Ok(Box::new(method))
    },
};

struct Poll(Native);

impl Method for Poll {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = timespec(deadline.since(self.0.now()));
        // SAFETY: no descriptors, no signal mask; the timeout is valid for reading.
        unsafe { libc::ppoll(ptr::null_mut(), 0, &raw const remaining, ptr::null()) };
        self.0.now()
    }
}

struct EpollPwait2 {
    os: Native,
    epoll: OwnedFd,
}

impl EpollPwait2 {
    /// Called by number: C libraries have it only since 2021.
    fn wait(&self, remaining: &libc::timespec) -> libc::c_long {
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: room for one event, a timeout valid for reading, no signal mask.
        unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                self.epoll.as_raw_fd(),
                &raw mut event,
                1,
                ptr::from_ref(remaining),
                ptr::null::<libc::sigset_t>(),
                0,
            )
        }
    }
}

impl Method for EpollPwait2 {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.wait(&timespec(deadline.since(self.os.now())));
        self.os.now()
    }
}
