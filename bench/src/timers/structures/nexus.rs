//! nexus-timer's wheel as it ships: ticks of a millisecond.

use super::{Payload, Queue};
use nexus_timer::{TimerHandle, Wheel};
use std::time::{Duration, Instant};

/// Timers in each of its chunks of memory.
const CHUNK: usize = 4_096;

pub struct Nexus {
    wheel: Wheel<Payload>,
    epoch: Instant,
    due: Vec<Payload>,
}

impl Queue for Nexus {
    type Key = TimerHandle<Payload>;

    fn new() -> Self {
        let epoch = Instant::now();
        Self {
            wheel: Wheel::unbounded(CHUNK, epoch),
            epoch,
            due: Vec::new(),
        }
    }

    fn insert(&mut self, deadline: u64, value: Payload) -> Self::Key {
        let deadline = self.epoch + Duration::from_nanos(deadline);
        self.wheel.schedule(deadline, value)
    }

    fn cancel(&mut self, key: Self::Key) {
        self.wheel.cancel(key);
    }

    fn expire(&mut self, now: u64) -> usize {
        self.due.clear();
        let now = self.epoch + Duration::from_nanos(now);
        self.wheel.poll_and_rebalance(now, &mut self.due)
    }

    fn release(&mut self, key: Self::Key) {
        self.wheel.free(key);
    }
}
