//! A timer that is a file: set to an absolute instant or periodic, and then read.

use super::{timespec, timespec_at, unavailable};
use crate::waiters::{Keeping, Wait, Waiter, deadlines};
use punctual::{Error, Instant, Native, Period};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// <https://man7.org/linux/man-pages/man2/timerfd_create.2.html>
pub(super) const TIMERFD: Waiter<Native> = Waiter::until(
    "timerfd",
    "a timerfd set to the deadline; no timer slack",
    |os, _| {
        let timer = Timerfd::make(os)?;
        deadlines(os, move |deadline| {
            timer.arm(deadline, Duration::ZERO);
            timer.read();
        })
    },
)
.and_lengths();

/// The same as a periodic timer that starts with a turn.
pub(super) const PERIODIC_TIMERFD: Waiter<Native> = Waiter::beating(
    "timerfd-cycle",
    "a periodic timerfd",
    Keeping::Itself,
    |os, options| {
        Ok(Box::new(PeriodicTimerfd {
            timer: Timerfd::make(os)?,
            period: whole_nanoseconds(options.period)?,
            owed: 0,
        }))
    },
);

struct Timerfd {
    os: Native,
    timer: OwnedFd,
}

impl Timerfd {
    fn make(os: &Native) -> Result<Self, Error> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC);
        let made = Self {
            os: os.clone(),
            timer: timer.map_err(|error| unavailable(error, "timerfd_create", "2.6.25"))?,
        };
        // Once as a test, because this function can return a reason.
        made.set(os.now(), Duration::ZERO)
            .map_err(|error| unavailable(error, "timerfd_settime", "2.6.25"))?;
        made.read();
        Ok(made)
    }

    /// Sets it to expire then, and every `interval` after that unless `interval` is zero.
    fn arm(&self, first: Instant, interval: Duration) {
        // It could be set when it was made, and every instant can be set.
        let _ = self.set(first, interval);
    }

    fn set(&self, first: Instant, interval: Duration) -> Result<(), Errno> {
        let setting = Itimerspec {
            it_interval: timespec(interval),
            it_value: timespec_at(first),
        };
        timerfd_settime(&self.timer, TimerfdTimerFlags::ABSTIME, &setting).map(drop)
    }

    /// Waits until it has expired, and returns how many times.
    fn read(&self) -> u64 {
        let mut expirations = [0; size_of::<u64>()];
        // If a signal ends the read, it has not expired.
        let _ = rustix::io::read(&self.timer, &mut expirations);
        u64::from_ne_bytes(expirations)
    }
}

struct PeriodicTimerfd {
    timer: Timerfd,
    period: Duration,
    /// Expirations that have not ended a wait yet.
    owed: u64,
}

/// The kernel's interval is a whole number of nanoseconds.
fn whole_nanoseconds(period: Period) -> Result<Duration, Error> {
    let whole = period.to_duration();
    if Period::from_duration(whole) != period {
        let reason = "its period must be a whole number of nanoseconds";
        return Err(Error::unsupported(reason));
    }
    Ok(whole)
}

impl Wait for PeriodicTimerfd {
    fn begin_turn(&mut self) {
        self.owed = 0;
        self.timer
            .arm(self.timer.os.now() + self.period, self.period);
    }

    /// Measures the timer's own period, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        if self.owed == 0 {
            self.owed = self.timer.read();
        }
        self.owed = self.owed.saturating_sub(1);
        self.timer.os.now()
    }

    fn end_turn(&mut self) {
        // An instant of zero stops it.
        self.timer.arm(Instant::ZERO, Duration::ZERO);
    }
}
