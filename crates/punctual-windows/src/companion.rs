//! What else runs on a machine, as data.

use crate::Standing;
use core::time::Duration;

/// Another program, or a driver. Companions start before the main
/// program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Companion {
    /// A process that asks for an interval and does nothing else.
    Requester {
        /// In steps of 100 ns.
        interval: Duration,
        /// What decides whether the request counts.
        standing: Standing,
    },
    /// A process that requests an interval and ends the request, again and again.
    Toggler {
        /// In steps of 100 ns.
        interval: Duration,
        /// For how long it asks, in whole milliseconds: it sleeps for them.
        raised: Duration,
        /// For how long it does not.
        lowered: Duration,
    },
    /// A driver that asks for an interval.
    Driver {
        /// What it asks for.
        interval: Duration,
    },
    /// A process whose threads sleep for whole milliseconds at random, and work after each sleep.
    Sleepers {
        /// How many threads.
        threads: usize,
        /// The shortest sleep, in milliseconds.
        from: u32,
        /// The longest.
        to: u32,
        /// The longest piece of work.
        most_work: Duration,
    },
    /// A process of one thread that never waits, at normal priority.
    Load,
    /// A process whose two threads wake each other without end and do nothing else.
    Switch,
}

impl Companion {
    /// A visible process that asks for this interval, and leaves it to Windows what to do with the
    /// request.
    pub fn requester(interval: Duration) -> Self {
        let standing = Standing::default();
        Self::Requester { interval, standing }
    }
}
