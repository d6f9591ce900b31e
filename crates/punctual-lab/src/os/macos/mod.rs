//! The machine that this program runs on, if that is macOS.
//!
//! Written from public documentation and only compiled: it has never run.

#![allow(unsafe_code, reason = "system calls")]

mod environment;
mod kqueue;
mod mach;
mod sysctl;

pub(crate) use super::posix::{nanosleeps as std_sleeps, process};

use super::everywhere;
use super::posix::{NANOSLEEP, processor_time};
use crate::conditions::Companion;
use crate::machine::{Clock, Machine, ThreadTimes};
use crate::waiters::{CONDVAR, Waiter, portable, sleeping, std_sleep};
use crate::{Environment, clocks};
use punctual::{Error, Native};
use std::time::Duration;

impl Machine for Native {
    fn waiters() -> Vec<Waiter<Self>> {
        let mut waiters = vec![
            std_sleep(|os, _| {
                std_sleeps()?;
                sleeping(os)
            }),
            NANOSLEEP,
            mach::MACH_WAIT_UNTIL,
            kqueue::KQUEUE,
            CONDVAR,
        ];
        waiters.extend(portable());
        waiters
    }

    fn clocks() -> Vec<Clock<Self>> {
        let mut clocks = clocks::portable();
        clocks.extend(everywhere::clocks());
        clocks
    }

    fn offers(companion: &Companion) -> Result<(), Error> {
        companion.as_process(Self::HAS_INTERVAL)
    }

    fn environment(&self) -> Environment {
        environment::read(self)
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(Times)
    }
}

struct Times;

impl ThreadTimes for Times {
    fn processor(&self) -> Duration {
        processor_time()
    }

    /// macOS does not tell.
    fn queue(&self) -> Option<Duration> {
        None
    }
}
