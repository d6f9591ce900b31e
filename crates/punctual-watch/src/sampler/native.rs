//! A sampler's machine: the one that this program runs on.

use super::sampling::Surroundings;
use crate::disturbances::Clocks;
use crate::os::{self, OwnQuota};
use punctual::{Cancel, Instant, Os, Sleeper};
use punctual_lab::waiters::Wait;
use punctual_lab::{Machine, Native};
use std::sync::Arc;
use std::time::SystemTime;

/// This machine, and the watch's quotas on it.
pub(super) struct Here {
    pub os: Native,
    pub quota: Arc<OwnQuota>,
}

impl Surroundings for Here {
    fn now(&self) -> Instant {
        Os::now(&self.os)
    }

    fn clocks(&self) -> Clocks {
        os::clocks()
    }

    fn throttled_ns(&self) -> Option<u64> {
        self.quota.throttled_ns()
    }

    fn processor(&self) -> Option<usize> {
        self.os.processor()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// The laboratory's method of this name cannot be cancelled. This one is the same and can be, so that a watch ends
/// at once.
pub(super) const COARSE: &str = "punctual-coarse";

/// A sleeper that never spins.
pub(super) struct Coarse {
    sleeper: Sleeper<Native>,
    cancel: Cancel<Native>,
}

impl Coarse {
    pub(super) fn new(os: Native, cancel: Cancel<Native>) -> Self {
        Self {
            sleeper: Sleeper::on(os).coarse(),
            cancel,
        }
    }
}

impl Wait for Coarse {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        match self.sleeper.sleep_until_unless(deadline, &self.cancel) {
            Ok(wake) => wake.woke,
            Err(_) => self.sleeper.now(),
        }
    }
}
