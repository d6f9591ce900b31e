//! Calls that sleep: until an absolute time, and the standard library's.

use super::{c_timespec, nanosleep, timespec, timespec_at, unavailable};
use crate::waiters::portable::feedback;
use crate::waiters::{Keeping, Waiter, deadlines};
use punctual::{Error, Instant, Native};
use rustix::io::Errno;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::ClockId;
use std::io;
use std::ptr;
use std::thread;
use std::time::Duration;

/// <https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html>
pub(super) const CLOCK_NANOSLEEP: Waiter<Native> = Waiter::until(
    "clock-nanosleep",
    "clock_nanosleep until the deadline (absolute)",
    |os: &Native, _| {
        match clock_nanosleep(os.now()) {
            Ok(()) | Err(Errno::INTR) => (),
            Err(error) => return Err(unavailable(error, "clock_nanosleep", "2.6")),
        }
        deadlines(os, |deadline| {
            // If a signal ends it, it is early, which is counted.
            let _ = clock_nanosleep(deadline);
        })
    },
)
.and_lengths()
.with_slack()
.keeping(Keeping::Schedule {
    margin: Duration::ZERO,
});

fn clock_nanosleep(deadline: Instant) -> Result<(), Errno> {
    clock_nanosleep_absolute(ClockId::Monotonic, &timespec_at(deadline))
}

/// How long before a deadline a loop that sleeps and spins stops sleeping. More than the 50 µs of
/// timer slack and the 50 µs that an idle processor takes to wake.
const SPIN: Duration = Duration::from_micros(200);

pub(super) const SLEEP_SPIN: Waiter<Native> = Waiter::beating(
    "sleep-spin",
    "nanosleep until 200 µs before deadlines, then spin",
    Keeping::Schedule { margin: SPIN },
    nanosleep,
);

pub(super) const FEEDBACK: Waiter<Native> = Waiter::beating(
    "feedback",
    "std::thread::sleep by a schedule in whole ms",
    Keeping::Itself,
    |os, options| {
        std_sleeps()?;
        let (clock, os) = (os.clone(), os.clone());
        let sleep = move |milliseconds: u32| {
            thread::sleep(Duration::from_millis(milliseconds.into()));
            os.now()
        };
        Ok(feedback(
            options.period,
            move || milliseconds(&clock),
            sleep,
        ))
    },
);

/// The monotonic clock as programs use it that count milliseconds in 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it wraps after 49.7 days, as timeGetTime does"
)]
fn milliseconds(os: &Native) -> u32 {
    const NANOS_PER_MILLISECOND: u64 = 1_000_000;
    (os.now().as_nanos() / NANOS_PER_MILLISECOND) as u32
}

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
