//! What the standard library offers: relative waits, on the machine this program runs on.

use crate::Native;
use crate::machine::{Method, Offer};
use punctual::{Instant, Os};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// The standard library's ways of waiting, on systems that sleep like this.
pub const STD_SLEEP: Offer<Native> = Offer {
    name: "std-sleep",
    summary: "std::thread::sleep for what remains",
    slack_applies: true,
    make: |os, _| Ok(Box::new(StdSleep(os.clone()))),
};

/// A condition variable that nobody notifies.
pub const CONDVAR: Offer<Native> = Offer {
    name: "condvar",
    summary: "std::sync::Condvar::wait_timeout_while for what remains",
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
        // The outcome is always that time is up: the condition never changes.
        drop(self.condvar.wait_timeout_while(guard, remaining, |()| true));
        Os::now(&self.os)
    }
}
