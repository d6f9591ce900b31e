//! The machine that this program runs on, if that is Linux.

#![allow(unsafe_code, reason = "system calls")]

mod clocks;
mod doctor;
mod environment;
mod futexes;
mod io_uring;
mod io_uring_multishot;
mod polling;
mod posix_timer;
mod sleeping;
mod timerfd;
mod tuning;

pub(crate) use super::posix::process;
pub(crate) use environment::quotas_of;
pub(crate) use sleeping::std_sleeps;

use super::posix::{NANOSLEEP, nanosleep, processor_time, timespec};
use crate::Environment;
use crate::conditions::Companion;
use crate::machine::{Clock, Finding, Machine, Refused, Remedy, ThreadTimes, Tuning};
use crate::waiters::{CONDVAR, REMAINDER, Waiter, portable, std_sleep};
use punctual::{Error, Instant, Native};
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, set_current_timer_slack};
use rustix::time::Timespec;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::os::unix::fs::FileExt;
use std::time::Duration;

impl Machine for Native {
    const CAN_BE_TUNED: bool = true;
    const HAS_SLICES: bool = true;
    const HAS_SLACK: bool = true;

    fn waiters() -> Vec<Waiter<Self>> {
        let mut waiters = vec![
            std_sleep(|os, _| {
                std_sleeps()?;
                crate::waiters::sleeping(os)
            }),
            NANOSLEEP.keeping(REMAINDER),
            sleeping::SLEEP_SPIN,
            sleeping::FEEDBACK,
            sleeping::CLOCK_NANOSLEEP,
            polling::SELECT,
            polling::POLL,
            polling::EPOLL_WAIT,
            polling::EPOLL_PWAIT2,
            futexes::FUTEX,
            futexes::FUTEX_WAITV,
            CONDVAR,
            timerfd::TIMERFD,
            timerfd::PERIODIC_TIMERFD,
            posix_timer::POSIX_TIMER,
            io_uring::IO_URING,
            io_uring_multishot::IO_URING_MULTISHOT,
        ];
        waiters.extend(portable());
        waiters
    }

    fn clocks() -> Vec<Clock<Self>> {
        clocks::all()
    }

    fn tune(&self) -> Result<Box<dyn Tuning>, Refused> {
        Ok(Box::new(tuning::tune()?))
    }

    fn slacken(&self, slack: Duration) -> Result<Box<dyn Tuning>, Error> {
        Ok(Box::new(slacken(slack)?))
    }

    fn offers(companion: &Companion) -> Result<(), Error> {
        companion.as_process(Self::HAS_INTERVAL)
    }

    fn environment(&self) -> Environment {
        environment::read()
    }

    fn findings(&self) -> Vec<Finding> {
        doctor::findings(self, &self.environment())
    }

    fn remedy_for(name: &str, error: &Error) -> Option<Remedy> {
        doctor::remedy_for(name, error)
    }

    fn processor(&self) -> Option<usize> {
        Some(sched_getcpu())
    }

    fn is_kept_to(&self, processor: usize) -> Option<bool> {
        let allowed = sched_getaffinity(None).ok()?;
        Some(allowed.count() == 1 && processor < CpuSet::MAX_CPU && allowed.is_set(processor))
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(LinuxThreadTimes::of_this_thread())
    }
}

/// An instant in the kernel's form: a duration since the clock's zero.
fn timespec_at(instant: Instant) -> Timespec {
    timespec(instant.duration_since(Instant::ZERO))
}

/// The same for the C library.
fn c_timespec(time: Timespec) -> libc::timespec {
    libc::timespec {
        tv_sec: time.tv_sec,
        tv_nsec: time.tv_nsec,
    }
}

/// What a call's failure means for a new waiter. `since` is the first Linux with the call.
fn unavailable(error: impl Into<io::Error>, call: &str, since: &str) -> Error {
    super::posix::unavailable(error, call, &format!("Linux {since}"))
}

// Changes the calling thread's timer slack for a while.

/// Restores the slack that was found. Slack belongs to a thread, so this stays on it.
struct Slackened {
    found_ns: u64,
    _on_this_thread: PhantomData<*const ()>,
}

impl Tuning for Slackened {}

/// Lets the kernel end this thread's waits up to this much later. Zero would mean the default.
fn slacken(slack: Duration) -> Result<impl Tuning + use<>, Error> {
    let nanos = u64::try_from(slack.as_nanos()).unwrap_or(u64::MAX);
    let found_ns = environment::timer_slack_ns()
        .ok_or_else(|| Error::unsupported("this system does not tell its timer slack"))?;
    set_slack(nanos.max(1))?;
    Ok(Slackened {
        found_ns,
        _on_this_thread: PhantomData,
    })
}

fn set_slack(nanos: u64) -> Result<(), Error> {
    set_current_timer_slack(NonZeroU64::new(nanos))
        .map_err(|error| Error::system(format!("timer slack cannot be set: {error}")))
}

impl Drop for Slackened {
    fn drop(&mut self) {
        // This value was in force before, so it can be set again.
        let _ = set_slack(self.found_ns);
    }
}

// The kernel's accounts of a thread's time.

/// The accounts of the thread that made this.
struct LinuxThreadTimes {
    /// `None` if the kernel keeps no such account (`CONFIG_SCHED_INFO`).
    schedstat: Option<File>,
}

impl LinuxThreadTimes {
    fn of_this_thread() -> Self {
        let file = File::open("/proc/thread-self/schedstat").ok();
        Self {
            schedstat: file.filter(|file| queue_time(file).is_some()),
        }
    }
}

impl ThreadTimes for LinuxThreadTimes {
    fn processor(&self) -> Duration {
        processor_time()
    }

    /// Costs 0.6 µs to 1 µs: it reads a file that the kernel generates.
    fn queue(&self) -> Option<Duration> {
        self.schedstat.as_ref().and_then(queue_time)
    }
}

fn queue_time(schedstat: &File) -> Option<Duration> {
    // Three numbers of at most twenty digits.
    let mut buffer = [0; 64];
    let length = schedstat.read_at(&mut buffer, 0).ok()?;
    parse_queue_time(std::str::from_utf8(&buffer[..length]).ok()?)
}

/// The second of `schedstat`'s three numbers: nanoseconds on a run queue.
/// <https://docs.kernel.org/scheduler/sched-stats.html>
fn parse_queue_time(schedstat: &str) -> Option<Duration> {
    let mut numbers = schedstat.split_ascii_whitespace();
    let nanos = numbers.nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_second_of_three_numbers() {
        assert_eq!(
            parse_queue_time("123 47060 1\n"),
            Some(Duration::from_nanos(47_060))
        );
        assert_eq!(parse_queue_time(""), None);
        assert_eq!(parse_queue_time("0 x 0"), None);
    }

    #[test]
    fn the_accounts_of_this_thread_do_not_go_back() {
        let times = LinuxThreadTimes::of_this_thread();
        let (processor, queue) = (times.processor(), times.queue());
        assert!(times.processor() >= processor);
        assert!(times.queue() >= queue);
    }
}
