//! The machine this program runs on, when that is Linux.

#![allow(unsafe_code, reason = "system calls")]

mod environment;
mod futexes;
mod polling;
pub(crate) mod process;
pub(crate) mod requests;
mod sleeping;
mod thread_times;
mod timerfd;

use crate::Environment;
use crate::companion::{Companion, no_driver};
use crate::machine::{Machine, ThreadTimes};
use crate::method::Offer;
use crate::methods::portable;
use crate::methods::standard::{CONDVAR, STD_SLEEP};
use punctual::{Error, Instant, Native};
use std::io;
use std::time::Duration;

impl Machine for Native {
    fn methods() -> Vec<Offer<Self>> {
        let mut methods = vec![
            STD_SLEEP,
            sleeping::NANOSLEEP,
            sleeping::CLOCK_NANOSLEEP,
            polling::POLL,
            polling::EPOLL_PWAIT2,
            futexes::FUTEX,
            futexes::FUTEX_WAITV,
            CONDVAR,
            timerfd::TIMERFD,
        ];
        methods.extend(portable());
        methods
    }

    fn offers(companion: &Companion) -> Result<(), Error> {
        match companion {
            Companion::Sleepers { .. } => Ok(()),
            Companion::Requester { .. } => requests::ensure_possible(),
            Companion::Driver { .. } => Err(no_driver()),
        }
    }

    fn environment(&self) -> Environment {
        environment::read()
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(thread_times::LinuxThreadTimes::of_this_thread())
    }
}

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// A duration, or an instant as a duration since the clock's zero, as the kernel takes it.
fn timespec(duration: Duration) -> libc::timespec {
    libc::timespec {
        tv_sec: duration.as_secs().try_into().unwrap_or(libc::time_t::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

fn timespec_at(instant: Instant) -> libc::timespec {
    timespec(instant.since(Instant::ZERO))
}

/// What the last call's failure means for a method that was to be made: the kernel lacks the call,
/// or a sandbox refuses it.
fn unavailable(call: &str, since: &str) -> Error {
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::ENOSYS) => {
            Error::unsupported(format!("this kernel has no {call} (Linux {since})"))
        }
        Some(libc::EPERM) => Error::not_permitted(format!("a sandbox refuses {call}")),
        _ => Error::system(format!("{call} failed: {error}")),
    }
}
