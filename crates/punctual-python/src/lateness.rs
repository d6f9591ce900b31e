//! Three kinds of lateness: of the timer, of the queue, and of the lock.

use punctual::{Arrival, Instant, Wake};
use std::time::Duration;

/// When something should have come, when it came, and what made it late.
#[derive(Debug, Clone, Copy)]
pub struct Lateness {
    pub deadline: Instant,
    pub came: Instant,
    /// The part in which the thread waited for the interpreter's lock.
    pub lock: Duration,
    /// The part in which the thread was busy with something else.
    pub queue: Duration,
}

impl Lateness {
    /// Of what came after the thread had woken: `deadline` need not be that of the wait.
    pub fn after(wake: &Wake, deadline: Instant, came: Instant) -> Self {
        let regained = wake.woke - wake.spun;
        let rested = regained - wake.regained;
        Self {
            deadline,
            came,
            lock: regained.duration_since(rested.max(deadline)),
            queue: came.duration_since(wake.woke.max(deadline)),
        }
    }

    /// Of what was overdue when the thread came to it.
    pub fn overdue(deadline: Instant, came: Instant) -> Self {
        Self {
            deadline,
            came,
            lock: Duration::ZERO,
            queue: came.duration_since(deadline),
        }
    }

    pub fn total(&self) -> Duration {
        self.came.duration_since(self.deadline)
    }

    /// The part in which the system had not woken the thread, or had not given it a processor.
    pub fn timer(&self) -> Duration {
        self.total().saturating_sub(self.lock + self.queue)
    }

    /// The part as the arrival of something that has only this part.
    pub fn arrival(&self, part: Duration) -> Arrival {
        Arrival::new(self.deadline, self.deadline + part)
    }
}

/// Nanoseconds as Python's integers take them.
pub fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
