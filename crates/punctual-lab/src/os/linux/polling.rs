//! Waits for events that never come, with a timeout.

use super::{c_timespec, timespec, unavailable};
use crate::waiters::{Wait, Waiter, lengths};
use punctual::{Error, Native};
use rustix::event::{epoll, poll};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

/// <https://man7.org/linux/man-pages/man2/select.2.html>
pub(super) const SELECT: Waiter<Native> =
    waiter::<Select>("select", "select without files, timeout in microseconds");

/// <https://man7.org/linux/man-pages/man2/poll.2.html> (`ppoll`: `poll` itself counts milliseconds)
pub(super) const POLL: Waiter<Native> =
    waiter::<Poll>("poll", "ppoll without files, timeout in nanoseconds");

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_WAIT: Waiter<Native> = waiter::<EpollWait>(
    "epoll-wait",
    "epoll_wait without files, timeout in milliseconds",
);

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_PWAIT2: Waiter<Native> = waiter::<EpollPwait2>(
    "epoll-pwait2",
    "epoll_pwait2 without files, timeout in nanoseconds",
);

const fn waiter<T: Timeout>(name: &'static str, summary: &'static str) -> Waiter<Native> {
    Waiter::after(name, summary, T::UNIT, |os, _| make::<T>(os)).with_slack()
}

/// It is called once as a test: a sandbox may refuse it.
fn make<T: Timeout>(os: &Native) -> Result<Box<dyn Wait>, Error> {
    let made = T::new()?;
    let (call, since) = T::CALL;
    let tried = made.wait(Duration::ZERO);
    tried.map_err(|error| unavailable(error, call, since))?;
    lengths(os, T::UNIT, move |length| {
        // If a signal ends it, it is early, which is counted.
        let _ = made.wait(length);
        Ok(())
    })
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
