//! Waits for events that never come, with a timeout.

use super::{c_timespec, timespec, unavailable};
use crate::waiters::{NANOSECOND, Wait, Waiter, lengths};
use punctual::{Error, Native};
use rustix::event::{epoll, poll};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

// The units of their timeouts. Rounded down, a wait would end early, so it is rounded up.
const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);
/// <https://man7.org/linux/man-pages/man2/select.2.html>
pub(super) const SELECT: Waiter<Native> = Waiter::after(
    "select",
    "select without files, timeout in microseconds",
    MICROSECOND,
    |os, _| tried(os, MICROSECOND, ("select", "2.0"), select),
)
.with_slack();

/// <https://man7.org/linux/man-pages/man2/poll.2.html> (`ppoll`: `poll` itself counts milliseconds)
pub(super) const POLL: Waiter<Native> = Waiter::after(
    "poll",
    "ppoll without files, timeout in nanoseconds",
    NANOSECOND,
    |os, _| tried(os, NANOSECOND, ("ppoll", "2.6.16"), ppoll),
)
.with_slack();

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_WAIT: Waiter<Native> = Waiter::after(
    "epoll-wait",
    "epoll_wait without files, timeout in milliseconds",
    MILLISECOND,
    |os, _| {
        let epoll = empty_epoll()?;
        let wait = move |length| epoll_wait(&epoll, length);
        tried(os, MILLISECOND, ("epoll_wait", "2.6.19"), wait)
    },
)
.with_slack();

/// <https://man7.org/linux/man-pages/man2/epoll_wait.2.html>
pub(super) const EPOLL_PWAIT2: Waiter<Native> = Waiter::after(
    "epoll-pwait2",
    "epoll_pwait2 without files, timeout in nanoseconds",
    NANOSECOND,
    |os, _| {
        let epoll = empty_epoll()?;
        let wait = move |length| epoll_pwait2(&epoll, length);
        tried(os, NANOSECOND, ("epoll_pwait2", "5.11"), wait)
    },
)
.with_slack();

/// A call that waits for whole units, with its name and the first Linux that has it. It is called once as a test: a
/// sandbox may refuse it.
fn tried(
    os: &Native,
    unit: Duration,
    (call, since): (&str, &str),
    wait: impl Fn(Duration) -> io::Result<()> + 'static,
) -> Result<Box<dyn Wait>, Error> {
    wait(Duration::ZERO).map_err(|error| unavailable(error, call, since))?;
    lengths(os, unit, move |length| {
        // If a signal ends it, it is early, which is counted.
        let _ = wait(length);
        Ok(())
    })
}

/// The result of a C function that is negative if it failed.
fn checked(result: impl Into<i64>) -> io::Result<()> {
    match result.into() {
        ..0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn select(length: Duration) -> io::Result<()> {
    let mut length = libc::timeval {
        tv_sec: length.as_secs().try_into().unwrap_or(libc::time_t::MAX),
        tv_usec: length.subsec_micros().into(),
    };
    let none = ptr::null_mut();
    // SAFETY: no descriptors; the timeout is valid for reading and writing.
    checked(unsafe { libc::select(0, none, none, none, &raw mut length) })
}

fn ppoll(length: Duration) -> io::Result<()> {
    poll(&mut [], Some(&timespec(length)))?;
    Ok(())
}

/// An epoll instance without files.
fn empty_epoll() -> Result<OwnedFd, Error> {
    epoll::create(epoll::CreateFlags::CLOEXEC)
        .map_err(|error| unavailable(error, "epoll_create1", "2.6.27"))
}

/// rustix calls `epoll_pwait`, whose timeout counts milliseconds.
fn epoll_wait(epoll: &OwnedFd, length: Duration) -> io::Result<()> {
    let mut events = [MaybeUninit::<epoll::Event>::uninit()];
    epoll::wait(epoll, &mut events, Some(&timespec(length)))?;
    Ok(())
}

/// Called by number: C libraries have had it only since 2021.
fn epoll_pwait2(epoll: &OwnedFd, length: Duration) -> io::Result<()> {
    let length = c_timespec(timespec(length));
    let mut event = libc::epoll_event { events: 0, u64: 0 };
    // SAFETY: room for one event, a timeout valid for reading, no signal mask.
    checked(unsafe {
        libc::syscall(
            libc::SYS_epoll_pwait2,
            epoll.as_raw_fd(),
            &raw mut event,
            1,
            &raw const length,
            ptr::null::<libc::sigset_t>(),
            0,
        )
    })
}
