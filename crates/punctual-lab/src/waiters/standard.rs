//! The standard library's waits, on the machine that this program runs on.

use super::{Make, NANOSECOND, Wait, Waiter, lengths};
use crate::Native;
use punctual::Error;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// The standard library's sleep. Its maker tries first whether the call is permitted, where it would panic otherwise.
pub const fn std_sleep(make: Make<Native>) -> Waiter<Native> {
    Waiter::after("std-sleep", "std::thread::sleep", NANOSECOND, make).with_slack()
}

/// What its maker makes.
pub fn sleeping(os: &Native) -> Result<Box<dyn Wait>, Error> {
    lengths(os, NANOSECOND, |length| {
        thread::sleep(length);
        Ok(())
    })
}

/// A condition variable that is never notified.
pub const CONDVAR: Waiter<Native> = Waiter::after(
    "condvar",
    "Condvar::wait_timeout_while",
    NANOSECOND,
    |os, _| {
        let (never, condvar) = (Mutex::new(()), Condvar::new());
        lengths(os, NANOSECOND, move |length| {
            let guard = never.lock().unwrap_or_else(PoisonError::into_inner);
            // The wait always times out, because the condition never changes.
            drop(condvar.wait_timeout_while(guard, length, |()| true));
            Ok(())
        })
    },
)
.with_slack();
