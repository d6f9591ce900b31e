//! The machine that this program runs on, if that is macOS.
//!
//! Written from public documentation and only compiled: it has never run.

#![allow(unsafe_code, reason = "system calls")]

mod environment;
mod kqueue;
mod mach;
mod sysctl;

pub(crate) use super::posix::{process, std_sleeps};

use super::everywhere;
use super::posix::calls::{nanosleep_for, until};
use super::posix::{NANOSLEEP, processor_time};
use crate::Environment;
use crate::calls;
use crate::clocks;
use crate::conditions::Companion;
use crate::machine::{CallOffer, Clock, Machine, Offer, ThreadTimes, Way};
use crate::methods::portable;
use crate::methods::standard::{CONDVAR, STD_SLEEP};
use crate::pace;
use punctual::{Error, Native};
use std::time::Duration;

impl Machine for Native {
    fn methods() -> Vec<Offer<Self>> {
        let mut methods = vec![
            STD_SLEEP,
            NANOSLEEP,
            mach::MACH_WAIT_UNTIL,
            kqueue::KQUEUE,
            CONDVAR,
        ];
        methods.extend(portable());
        methods
    }

    fn ways() -> Vec<Way<Self>> {
        pace::portable()
    }

    fn calls() -> Vec<CallOffer<Self>> {
        vec![
            calls::standard::std_sleep(),
            nanosleep_for(),
            until(mach::MACH_WAIT_UNTIL),
            until(kqueue::KQUEUE),
            calls::standard::condvar(),
        ]
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
