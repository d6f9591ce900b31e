//! hierarchical_hash_wheel_timer's wheel that can cancel: ticks of a millisecond.

use super::{Payload, Queue};
use hierarchical_hash_wheel_timer::IdOnlyTimerEntry;
use hierarchical_hash_wheel_timer::wheels::Skip;
use hierarchical_hash_wheel_timer::wheels::cancellable::QuadWheelWithOverflow;
use std::time::Duration;

const NANOS_PER_TICK: u64 = 1_000_000;

/// A timer is nothing but its number, by which it is cancelled, too.
pub struct HierarchicalHashWheel {
    wheel: QuadWheelWithOverflow<IdOnlyTimerEntry<u64>>,
    /// In ticks.
    now: u64,
    inserted: u64,
}

impl Queue for HierarchicalHashWheel {
    type Key = u64;

    fn new() -> Self {
        Self {
            wheel: QuadWheelWithOverflow::new(),
            now: 0,
            inserted: 0,
        }
    }

    fn insert(&mut self, deadline: u64, _value: Payload) -> u64 {
        self.inserted += 1;
        // It cuts fractions of ticks off; to be early is for nobody.
        let ticks = deadline.div_ceil(NANOS_PER_TICK) - self.now;
        let entry = IdOnlyTimerEntry::new(self.inserted, Duration::from_millis(ticks));
        self.wheel
            .insert(entry)
            .expect("a deadline that is yet to come");
        self.inserted
    }

    fn cancel(&mut self, key: u64) {
        self.wheel
            .cancel(&key)
            .expect("a timer that is in the queue");
    }

    fn expire(&mut self, now: u64) -> usize {
        let until = now / NANOS_PER_TICK;
        let mut due = 0;
        while self.now < until {
            match self.wheel.can_skip() {
                Skip::Empty => self.now = until,
                Skip::Millis(ticks) => {
                    let left = u32::try_from(until - self.now).unwrap_or(u32::MAX);
                    self.wheel.skip(ticks.min(left));
                    self.now += u64::from(ticks.min(left));
                }
                Skip::None => {
                    due += self.wheel.tick().len();
                    self.now += 1;
                }
            }
        }
        due
    }
}
