//! Calls that sleep: until an absolute time, and the standard library's.

use super::{c_timespec, timespec, timespec_at, unavailable};
use crate::machine::{Method, Offer};
use crate::methods::standard;
use punctual::{Error, Instant, Native};
use rustix::io::Errno;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::ClockId;
use std::io;
use std::ptr;
use std::time::Duration;

/// <https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html>
pub(super) const CLOCK_NANOSLEEP: Offer<Native> = Offer {
    name: "clock-nanosleep",
    summary: "clock_nanosleep until the deadline (absolute)",
    slack_applies: true,
    make: |os, _| {
        let method = ClockNanosleep(os.clone());
        match method.wait(os.now()) {
            Ok(()) | Err(Errno::INTR) => Ok(Box::new(method)),
            Err(error) => Err(unavailable(error, "clock_nanosleep", "2.6")),
        }
    },
};

/// The standard library's, if its call is permitted. It would panic otherwise.
pub(super) const STD_SLEEP: Offer<Native> = Offer {
    make: |os, wishes| {
        std_sleeps()?;
        (standard::STD_SLEEP.make)(os, wishes)
    },
    ..standard::STD_SLEEP
};

/// Whether the standard library can sleep: it panics if its call fails. That is the C library's `nanosleep`,
/// which is one system call or the other, or `clock_nanosleep`.
pub(crate) fn std_sleeps() -> Result<(), Error> {
    let none = c_timespec(timespec(Duration::ZERO));
    // SAFETY: the time is valid for reading, and what remains is not requested.
    let slept = unsafe { libc::nanosleep(&raw const none, ptr::null_mut()) };
    if slept < 0 {
        let error = io::Error::last_os_error();
        return Err(unavailable(error, "nanosleep", "2.0"));
    }
    // SAFETY: as above. This one returns its error.
    let error = unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, 0, &raw const none, ptr::null_mut())
    };
    if error != 0 {
        let error = io::Error::from_raw_os_error(error);
        return Err(unavailable(error, "clock_nanosleep", "2.6"));
    }
    Ok(())
}

struct ClockNanosleep(Native);

impl ClockNanosleep {
    fn wait(&self, deadline: Instant) -> Result<(), Errno> {
        clock_nanosleep_absolute(ClockId::Monotonic, &timespec_at(deadline))
    }
}

impl Method for ClockNanosleep {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        // If a signal ends it, it is early, which is counted.
        let _ = self.wait(deadline);
        self.0.now()
    }
}
