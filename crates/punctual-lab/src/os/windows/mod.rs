//! The machine that this program runs on, if that is Windows.

#![allow(unsafe_code, reason = "system calls")]

mod doctor;
mod environment;
pub(crate) mod process;
mod thread_times;

use super::everywhere;
use crate::Environment;
use crate::Native;
use crate::calls;
use crate::clocks;
use crate::conditions::Companion;
use crate::machine::{CallOffer, Clock, Finding, Machine, Method, Offer, ThreadTimes, Way};
use crate::methods::standard::{CONDVAR, STD_SLEEP};
use crate::methods::{portable, windows};
use crate::pace;
use punctual::Error;
use std::time::Duration;

/// Whether the standard library can sleep: always.
pub(crate) fn std_sleeps() -> Result<(), Error> {
    Ok(())
}

impl Machine for Native {
    const HAS_INTERVAL: bool = true;

    fn methods() -> Vec<Offer<Self>> {
        let mut methods = windows::all();
        methods.extend(calls::windows::methods());
        methods.extend([STD_SLEEP, CONDVAR]);
        methods.extend(portable());
        methods
    }

    fn ways() -> Vec<Way<Self>> {
        pace::windows::all()
    }

    fn calls() -> Vec<CallOffer<Self>> {
        let mut calls = calls::windows::all();
        calls.extend([calls::standard::std_sleep(), calls::standard::condvar()]);
        calls
    }

    fn clocks() -> Vec<Clock<Self>> {
        let mut clocks = clocks::windows::all();
        clocks.extend(everywhere::clocks());
        clocks
    }

    fn requested(
        &self,
        method: Box<dyn Method>,
        interval: Duration,
    ) -> Result<Box<dyn Method>, Error> {
        windows::requested(self.win32(), method, interval)
    }

    fn longest_interval(&self) -> Duration {
        windows::request_delay(self.win32())
    }

    fn await_tick(&self) {
        calls::windows::await_tick(self.win32());
    }

    fn request_delay(&self) -> Duration {
        windows::request_delay(self.win32())
    }

    fn offers(companion: &Companion) -> Result<(), Error> {
        companion.as_process(Self::HAS_INTERVAL)
    }

    fn environment(&self) -> Environment {
        environment::read(self)
    }

    fn findings(&self) -> Vec<Finding> {
        doctor::findings(self, &self.environment())
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(thread_times::WindowsThreadTimes::of_this_thread(self))
    }
}
