//! The standard library's waits, which are relative, on the machine that this program runs on.

use crate::Native;
use crate::machine::{Method, Offer};
use punctual::{Instant, Os};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// The standard library's ways of waiting.
pub const STD_SLEEP: Offer<Native> = Offer {
    name: "std-sleep",
    summary: "std::thread::sleep for the remaining time",
    slack_applies: true,
    make: |os, _| Ok(Box::new(StdSleep(os.clone()))),
};

/// A condition variable that is never notified.
pub const CONDVAR: Offer<Native> = Offer {
    name: "condvar",
    summary: "Condvar::wait_timeout_while for the remaining time",
    slack_applies: true,
    make: |os, _| {
        let os = os.clone();
        Ok(Box::new(Waiting {
            os,
            never: Mutex::new(()),
            condvar: Condvar::new(),
        }))
    },
};

struct StdSleep(Native);

impl Method for StdSleep {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        thread::sleep(deadline.duration_since(Os::now(&self.0)));
        Os::now(&self.0)
    }
}

struct Waiting {
    os: Native,
    never: Mutex<()>,
    condvar: Condvar,
}

impl Method for Waiting {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(Os::now(&self.os));
        let guard = self.never.lock().unwrap_or_else(PoisonError::into_inner);
        // The wait always times out, because the condition never changes.
        drop(self.condvar.wait_timeout_while(guard, remaining, |()| true));
        Os::now(&self.os)
    }
}
