//! The standard library's waits, on the machine that this program runs on.

use crate::Native;
use crate::machine::{Call, CallOffer};
use crate::os::std_sleeps;
use punctual::Error;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The standard library takes lengths in nanoseconds.
const NANOSECOND: Duration = Duration::from_nanos(1);

/// The standard library's sleep.
pub(crate) fn std_sleep() -> CallOffer<Native> {
    CallOffer {
        name: "std-sleep",
        summary: "std::thread::sleep",
        unit: NANOSECOND,
        make: Box::new(|_| {
            std_sleeps()?;
            Ok(Box::new(StdSleep))
        }),
    }
}

/// A condition variable that is never notified.
pub(crate) fn condvar() -> CallOffer<Native> {
    CallOffer {
        name: "condvar",
        summary: "Condvar::wait_timeout",
        unit: NANOSECOND,
        make: Box::new(|_| Ok(Box::new(Waiting::default()))),
    }
}

struct StdSleep;

impl Call for StdSleep {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        thread::sleep(duration);
        Ok(())
    }
}

#[derive(Default)]
struct Waiting {
    never: Mutex<()>,
    condvar: Condvar,
}

impl Call for Waiting {
    /// One wait: it may end early, as a wait of a condition variable may.
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        let guard = self.never.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.condvar.wait_timeout(guard, duration));
        Ok(())
    }
}
