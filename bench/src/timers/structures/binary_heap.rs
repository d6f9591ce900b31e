//! The standard library's heap. Cancelling empties the timer's slot; its entry stays in the heap
//! until it comes to the top, so that the top is always when to wake next.

use super::{Payload, Queue};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct LazyHeap {
    /// By deadline and by order of insertion; then the slot.
    heap: BinaryHeap<Reverse<(u64, u64, u32)>>,
    /// The order of insertion of the timer that is there, and what it carries.
    slots: Vec<Option<(u64, Payload)>>,
    free: Vec<u32>,
    inserted: u64,
}

impl Queue for LazyHeap {
    /// The slot, and the order of insertion.
    type Key = (u32, u64);

    fn new() -> Self {
        Self {
            heap: BinaryHeap::new(),
            slots: Vec::new(),
            free: Vec::new(),
            inserted: 0,
        }
    }

    fn insert(&mut self, deadline: u64, value: Payload) -> Self::Key {
        self.inserted += 1;
        let timer = Some((self.inserted, value));
        let slot = if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = timer;
            slot
        } else {
            self.slots.push(timer);
            u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 timers")
        };
        self.heap.push(Reverse((deadline, self.inserted, slot)));
        (slot, self.inserted)
    }

    fn cancel(&mut self, (slot, order): Self::Key) {
        let place = &mut self.slots[slot as usize];
        if place.is_some_and(|(whose, _)| whose == order) {
            *place = None;
            self.free.push(slot);
        }
        while let Some(&Reverse((_, order, slot))) = self.heap.peek() {
            if self.slots[slot as usize].is_some_and(|(whose, _)| whose == order) {
                break;
            }
            self.heap.pop();
        }
    }

    fn expire(&mut self, now: u64) -> usize {
        let mut due = 0;
        while let Some(&Reverse((deadline, order, slot))) = self.heap.peek() {
            if deadline > now {
                break;
            }
            self.heap.pop();
            let place = &mut self.slots[slot as usize];
            if place.is_some_and(|(whose, _)| whose == order) {
                *place = None;
                self.free.push(slot);
                due += 1;
            }
        }
        due
    }
}
