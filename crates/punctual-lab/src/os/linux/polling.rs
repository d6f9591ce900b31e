//! Waits for events that never come, with a timeout.

use super::{c_timespec, timespec, unavailable};
use crate::machine::{Method, Offer};
use punctual::{Error, Instant, Native};
use rustix::event::{epoll, poll};
use rustix::io::Errno;
use rustix::time::Timespec;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

/// <https://man7.org/linux/man-pages/man2/select.2.html>
pub(super) const SELECT: Offer<Native> = Offer {
    name: "select",
    summary: "select without files, timeout in microseconds",
    slack_applies: true,
    make: |os, _| {
        if select(Duration::ZERO) < 0 {
            let error = io::Error::last_os_error();
            return Err(unavailable(error, "select", "2.0"));
        }
        Ok(Box::new(Select(os.clone())))
    },
};

/// <https://man7.org/linux/man-pages/man2/poll.2.html> (`ppoll`: `poll` itself counts milliseconds)
pub(super) const POLL: Offer<Native> = Offer {
    name: "poll",
    summary: "ppoll without files, timeout in nanoseconds",
    slack_applies: true,
    make: |os, _| {
        let polled = poll(&mut [], Some(&Timespec::default()));
        polled.map_err(|error| unavailable(error, "ppoll", "2.6.16"))?;
        Ok(Box::new(Poll(os.clone())))
    },
};

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_WAIT: Offer<Native> = Offer {
    name: "epoll-wait",
    summary: "epoll_wait without files, timeout in milliseconds",
    slack_applies: true,
    make: |os, _| {
        let method = EpollWait {
            os: os.clone(),
            epoll: empty_epoll()?,
        };
        let waited = method.wait(Timespec::default());
        waited.map_err(|error| unavailable(error, "epoll_wait", "2.6.19"))?;
        Ok(Box::new(method))
    },
};

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_PWAIT2: Offer<Native> = Offer {
    name: "epoll-pwait2",
    summary: "epoll_pwait2 without files, timeout in nanoseconds",
    slack_applies: true,
    make: |os, _| {
        let epoll = empty_epoll()?;
        let method = EpollPwait2 {
            os: os.clone(),
            epoll,
        };
        if method.wait(Timespec::default()) < 0 {
            let error = io::Error::last_os_error();
            return Err(unavailable(error, "epoll_pwait2", "5.11"));
        }
        Ok(Box::new(method))
    },
};

/// An epoll instance without files.
fn empty_epoll() -> Result<OwnedFd, Error> {
    epoll::create(epoll::CreateFlags::CLOEXEC)
        .map_err(|error| unavailable(error, "epoll_create1", "2.6.27"))
}

struct Select(Native);

impl Method for Select {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = whole(
            Duration::from_micros(1),
            deadline.duration_since(self.0.now()),
        );
        select(remaining);
        self.0.now()
    }
}

/// Waits for this many whole microseconds.
fn select(remaining: Duration) -> libc::c_int {
    let mut remaining = libc::timeval {
        tv_sec: remaining.as_secs().try_into().unwrap_or(libc::time_t::MAX),
        tv_usec: remaining.subsec_micros().into(),
    };
    let none = ptr::null_mut();
    // SAFETY: no descriptors; the timeout is valid for reading and writing.
    unsafe { libc::select(0, none, none, none, &raw mut remaining) }
}

struct EpollWait {
    os: Native,
    epoll: OwnedFd,
}

impl EpollWait {
    /// In whole milliseconds, rounded up: rustix calls `epoll_pwait`.
    fn wait(&self, remaining: Timespec) -> Result<(), Errno> {
        let mut events = [MaybeUninit::<epoll::Event>::uninit()];
        epoll::wait(&self.epoll, &mut events, Some(&remaining)).map(drop)
    }
}

impl Method for EpollWait {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        // If a signal ends it, it is early, which is counted.
        let _ = self.wait(timespec(deadline.duration_since(self.os.now())));
        self.os.now()
    }
}

/// The time in whole units, rounded up: rounded down, the wait would end early.
fn whole(unit: Duration, time: Duration) -> Duration {
    let units = time.as_nanos().div_ceil(unit.as_nanos());
    unit.saturating_mul(units.try_into().unwrap_or(u32::MAX))
}

struct Poll(Native);

impl Method for Poll {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = timespec(deadline.duration_since(self.0.now()));
        let _ = poll(&mut [], Some(&remaining));
        self.0.now()
    }
}

struct EpollPwait2 {
    os: Native,
    epoll: OwnedFd,
}

impl EpollPwait2 {
    /// Called by number: C libraries have had it only since 2021.
    fn wait(&self, remaining: Timespec) -> libc::c_long {
        let remaining = c_timespec(remaining);
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: room for one event, a timeout valid for reading, no signal mask.
        unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                self.epoll.as_raw_fd(),
                &raw mut event,
                1,
                &raw const remaining,
                ptr::null::<libc::sigset_t>(),
                0,
            )
        }
    }
}

impl Method for EpollPwait2 {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.wait(timespec(deadline.duration_since(self.os.now())));
        self.os.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_remains_is_rounded_up() {
        let millis = |nanos| whole(Duration::from_millis(1), Duration::from_nanos(nanos));
        assert_eq!(millis(0), Duration::ZERO);
        assert_eq!(millis(1), Duration::from_millis(1));
        assert_eq!(millis(1_000_000), Duration::from_millis(1));
        assert_eq!(millis(1_000_001), Duration::from_millis(2));
    }
}
