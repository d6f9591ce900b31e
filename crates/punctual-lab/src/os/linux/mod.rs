//! The machine that this program runs on, if that is Linux.

#![allow(unsafe_code, reason = "system calls")]

mod clocks;
mod doctor;
mod environment;
mod futexes;
mod io_uring;
mod polling;
mod posix_timer;
mod slack;
mod sleeping;
mod thread_times;
mod timerfd;
mod tuning;
mod ways;

pub(crate) use super::posix::process;
pub(crate) use environment::quotas_of;
pub(crate) use sleeping::std_sleeps;

use super::posix::calls::{nanosleep_for, until};
use super::posix::{NANOSLEEP, timespec};
use crate::Environment;
use crate::calls;
use crate::conditions::Companion;
use crate::machine::CallOffer;
use crate::machine::Clock;
use crate::machine::Finding;
use crate::machine::Offer;
use crate::machine::Way;
use crate::machine::{Machine, Refused, Remedy, ThreadTimes, Tuning};
use crate::methods::portable;
use crate::methods::standard::CONDVAR;
use punctual::{Error, Instant, Native};
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu};
use rustix::time::Timespec;
use std::io;
use std::time::Duration;

impl Machine for Native {
    const CAN_BE_TUNED: bool = true;
    const HAS_SLICES: bool = true;

    fn methods() -> Vec<Offer<Self>> {
        let mut methods = vec![
            sleeping::STD_SLEEP,
            NANOSLEEP,
            sleeping::CLOCK_NANOSLEEP,
            polling::SELECT,
            polling::POLL,
            polling::EPOLL_WAIT,
            polling::EPOLL_PWAIT2,
            futexes::FUTEX,
            futexes::FUTEX_WAITV,
            CONDVAR,
            timerfd::TIMERFD,
            posix_timer::POSIX_TIMER,
            io_uring::IO_URING,
        ];
        methods.extend(portable());
        methods
    }

    fn ways() -> Vec<Way<Self>> {
        ways::all()
    }

    fn calls() -> Vec<CallOffer<Self>> {
        let mut all = vec![
            calls::standard::std_sleep(),
            nanosleep_for(),
            until(sleeping::CLOCK_NANOSLEEP),
        ];
        all.extend(polling::calls());
        all.extend([until(futexes::FUTEX), until(futexes::FUTEX_WAITV)]);
        all.push(calls::standard::condvar());
        let timers = [
            timerfd::TIMERFD,
            posix_timer::POSIX_TIMER,
            io_uring::IO_URING,
        ];
        all.extend(timers.map(until));
        all
    }

    fn clocks() -> Vec<Clock<Self>> {
        clocks::all()
    }

    fn tune(&self) -> Result<Box<dyn Tuning>, Refused> {
        Ok(Box::new(tuning::tune()?))
    }

    fn slacken(&self, slack: Duration) -> Result<Box<dyn Tuning>, Error> {
        Ok(Box::new(slack::slacken(slack)?))
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

    fn remedy_for_method(name: &str, error: &Error) -> Option<Remedy> {
        doctor::remedy_for_method(name, error)
    }

    fn processor(&self) -> Option<usize> {
        Some(sched_getcpu())
    }

    fn is_kept_to(&self, processor: usize) -> Option<bool> {
        let allowed = sched_getaffinity(None).ok()?;
        Some(allowed.count() == 1 && processor < CpuSet::MAX_CPU && allowed.is_set(processor))
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(thread_times::LinuxThreadTimes::of_this_thread())
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

/// What a call's failure means for a new method. `since` is the first Linux with the call.
fn unavailable(error: impl Into<io::Error>, call: &str, since: &str) -> Error {
    super::posix::unavailable(error, call, &format!("Linux {since}"))
}
