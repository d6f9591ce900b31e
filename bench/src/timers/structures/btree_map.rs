//! The standard library's sorted map, by deadline and by order of insertion: the key to cancel by
//! is the place in the map.

use super::{Payload, Queue};
use std::collections::BTreeMap;

pub struct Sorted {
    map: BTreeMap<(u64, u64), Payload>,
    inserted: u64,
}

impl Queue for Sorted {
    type Key = (u64, u64);

    fn new() -> Self {
        Self {
            map: BTreeMap::new(),
            inserted: 0,
        }
    }

    fn insert(&mut self, deadline: u64, value: Payload) -> Self::Key {
        self.inserted += 1;
        let key = (deadline, self.inserted);
        self.map.insert(key, value);
        key
    }

    fn cancel(&mut self, key: Self::Key) {
        self.map.remove(&key);
    }

    fn expire(&mut self, now: u64) -> usize {
        let mut due = 0;
        while let Some(first) = self.map.first_entry() {
            if first.key().0 > now {
                break;
            }
            first.remove();
            due += 1;
        }
        due
    }
}
