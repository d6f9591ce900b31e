//! Waits for events that never come, with a timeout.

use super::{c_timespec, timespec, unavailable};
use crate::machine::{Call, CallOffer, Method, Offer};
use punctual::{Error, Instant, Native};
use rustix::event::{epoll, poll};
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
    make: |os, _| Remaining::<Select>::make(os),
};

/// <https://man7.org/linux/man-pages/man2/poll.2.html> (`ppoll`: `poll` itself counts milliseconds)
pub(super) const POLL: Offer<Native> = Offer {
    name: "poll",
    summary: "ppoll without files, timeout in nanoseconds",
    slack_applies: true,
    make: |os, _| Remaining::<Poll>::make(os),
};

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_WAIT: Offer<Native> = Offer {
    name: "epoll-wait",
    summary: "epoll_wait without files, timeout in milliseconds",
    slack_applies: true,
    make: |os, _| Remaining::<EpollWait>::make(os),
};

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_PWAIT2: Offer<Native> = Offer {
    name: "epoll-pwait2",
    summary: "epoll_pwait2 without files, timeout in nanoseconds",
    slack_applies: true,
    make: |os, _| Remaining::<EpollPwait2>::make(os),
};

/// The same waits for a length that is given.
pub(super) fn calls() -> [CallOffer<Native>; 4] {
    [
        call::<Select>(&SELECT),
        call::<Poll>(&POLL),
        call::<EpollWait>(&EPOLL_WAIT),
        call::<EpollPwait2>(&EPOLL_PWAIT2),
    ]
}

fn call<T: Timeout>(offer: &Offer<Native>) -> CallOffer<Native> {
    CallOffer {
        name: offer.name,
        summary: offer.summary,
        unit: T::UNIT,
        make: Box::new(|_| Ok(Box::new(Length(tried::<T>()?)))),
    }
}

/// A call with a timeout.
trait Timeout: Sized + 'static {
    /// The unit of its timeout. Rounded down, a wait would end early, so it is rounded up.
    const UNIT: Duration;

    /// The name of the call, and the first Linux that has it.
    const CALL: (&'static str, &'static str);

    fn new() -> Result<Self, Error>;

    /// Waits for whole units.
    ///
    /// # Errors
    /// If the system refuses, or a signal ends the wait.
    fn wait(&self, length: Duration) -> io::Result<()>;
}

/// One that was called once as a test: a sandbox may refuse it.
fn tried<T: Timeout>() -> Result<T, Error> {
    let made = T::new()?;
    let (call, since) = T::CALL;
    let tried = made.wait(Duration::ZERO);
    tried.map_err(|error| unavailable(error, call, since))?;
    Ok(made)
}

/// Waits for the time that remains until a deadline.
struct Remaining<T> {
    os: Native,
    timeout: T,
}

impl<T: Timeout> Remaining<T> {
    fn make(os: &Native) -> Result<Box<dyn Method>, Error> {
        Ok(Box::new(Self {
            os: os.clone(),
            timeout: tried()?,
        }))
    }
}

impl<T: Timeout> Method for Remaining<T> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.os.now());
        // If a signal ends it, it is early, which is counted.
        let _ = self.timeout.wait(whole(T::UNIT, remaining));
        self.os.now()
    }
}

/// Waits for a length.
struct Length<T>(T);

impl<T: Timeout> Call for Length<T> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        // If a signal ends it, it is early, which is counted.
        let _ = self.0.wait(duration);
        Ok(())
    }
}

/// The time in whole units, rounded up: rounded down, the wait would end early.
fn whole(unit: Duration, time: Duration) -> Duration {
    let units = time.as_nanos().div_ceil(unit.as_nanos());
    unit.saturating_mul(units.try_into().unwrap_or(u32::MAX))
}

/// The result of a C function that is negative if it failed.
fn checked(result: impl Into<i64>) -> io::Result<()> {
    match result.into() {
        ..0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

struct Select;

impl Timeout for Select {
    const UNIT: Duration = Duration::from_micros(1);
    const CALL: (&'static str, &'static str) = ("select", "2.0");

    fn new() -> Result<Self, Error> {
        Ok(Self)
    }

    fn wait(&self, length: Duration) -> io::Result<()> {
        let mut length = libc::timeval {
            tv_sec: length.as_secs().try_into().unwrap_or(libc::time_t::MAX),
            tv_usec: length.subsec_micros().into(),
        };
        let none = ptr::null_mut();
        // SAFETY: no descriptors; the timeout is valid for reading and writing.
        checked(unsafe { libc::select(0, none, none, none, &raw mut length) })
    }
}

struct Poll;

impl Timeout for Poll {
    const UNIT: Duration = Duration::from_nanos(1);
    const CALL: (&'static str, &'static str) = ("ppoll", "2.6.16");

    fn new() -> Result<Self, Error> {
        Ok(Self)
    }

    fn wait(&self, length: Duration) -> io::Result<()> {
        poll(&mut [], Some(&timespec(length)))?;
        Ok(())
    }
}

/// An epoll instance without files.
fn empty_epoll() -> Result<OwnedFd, Error> {
    epoll::create(epoll::CreateFlags::CLOEXEC)
        .map_err(|error| unavailable(error, "epoll_create1", "2.6.27"))
}

struct EpollWait(OwnedFd);

impl Timeout for EpollWait {
    const UNIT: Duration = Duration::from_millis(1);
    const CALL: (&'static str, &'static str) = ("epoll_wait", "2.6.19");

    fn new() -> Result<Self, Error> {
        empty_epoll().map(Self)
    }

    /// rustix calls `epoll_pwait`, whose timeout counts milliseconds.
    fn wait(&self, length: Duration) -> io::Result<()> {
        let mut events = [MaybeUninit::<epoll::Event>::uninit()];
        epoll::wait(&self.0, &mut events, Some(&timespec(length)))?;
        Ok(())
    }
}

struct EpollPwait2(OwnedFd);

impl Timeout for EpollPwait2 {
    const UNIT: Duration = Duration::from_nanos(1);
    const CALL: (&'static str, &'static str) = ("epoll_pwait2", "5.11");

    fn new() -> Result<Self, Error> {
        empty_epoll().map(Self)
    }

    /// Called by number: C libraries have had it only since 2021.
    fn wait(&self, length: Duration) -> io::Result<()> {
        let length = c_timespec(timespec(length));
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: room for one event, a timeout valid for reading, no signal mask.
        checked(unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                self.0.as_raw_fd(),
                &raw mut event,
                1,
                &raw const length,
                ptr::null::<libc::sigset_t>(),
                0,
            )
        })
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
