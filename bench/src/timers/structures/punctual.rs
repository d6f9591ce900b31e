//! Punctual's own.

use super::{Payload, Queue};
use punctual::timers::Key;
use punctual::{Instant, Timers};

pub struct Punctual(Timers<Payload>);

impl Queue for Punctual {
    type Key = Key;

    fn new() -> Self {
        Self(Timers::new())
    }

    fn insert(&mut self, deadline: u64, value: Payload) -> Key {
        self.0.insert(Instant::from_nanos(deadline), value)
    }

    fn cancel(&mut self, key: Key) {
        self.0.cancel(key);
    }

    fn expire(&mut self, now: u64) -> usize {
        self.0.expire(Instant::from_nanos(now)).count()
    }
}
