//! The timer queues that are compared, each behind the same four calls.

#[cfg(feature = "tokio-util")]
pub mod tokio_util;

use hierarchical_hash_wheel_timer::IdOnlyTimerEntry;
use hierarchical_hash_wheel_timer::wheels::Skip;
use hierarchical_hash_wheel_timer::wheels::cancellable::QuadWheelWithOverflow;
use nexus_timer::{TimerHandle, Wheel};
use punctual::Timers;
use punctual::timers::Key;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::num::NonZero;
use std::time::{Duration, Instant};

/// What a timer carries: as large as a pointer, and like one never zero.
pub type Payload = NonZero<u64>;

/// A timer queue whose time begins at zero and is moved by whoever uses it.
pub trait Queue: Sized {
    /// What a timer is cancelled by.
    type Key;

    fn new() -> Self;

    /// Inserts a timer that is due at this many nanoseconds and carries this.
    fn insert(&mut self, deadline: u64, value: Payload) -> Self::Key;

    /// Cancels a timer that is in the queue.
    fn cancel(&mut self, key: Self::Key);

    /// Gives a key back unused. The timer stays.
    fn release(&mut self, _key: Self::Key) {}

    /// Does the work wherever this queue needs it to be done.
    fn during<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        work(self)
    }

    /// Moves time to this many nanoseconds, takes all that is due and returns how many that were.
    fn expire(&mut self, now: u64) -> usize;
}

/// Punctual's own.
pub struct Punctual(Timers<Payload>);

impl Queue for Punctual {
    type Key = Key;

    fn new() -> Self {
        Self(Timers::new())
    }

    fn insert(&mut self, deadline: u64, value: Payload) -> Key {
        self.0
            .insert(punctual::Instant::from_nanos(deadline), value)
    }

    fn cancel(&mut self, key: Key) {
        self.0.cancel(key);
    }

    fn expire(&mut self, now: u64) -> usize {
        self.0.expire(punctual::Instant::from_nanos(now)).count()
    }
}

const NANOS_PER_TICK: u64 = 1_000_000;

/// A timer is nothing but its number, by which it is cancelled, too.
/// hierarchical_hash_wheel_timer's wheel that can cancel: ticks of a millisecond.
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

/// Timers in each of its chunks of memory.
const CHUNK: usize = 4_096;

/// nexus-timer's wheel as it ships: ticks of a millisecond.
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

/// The standard library's heap. Cancelling empties the timer's slot; its entry stays in the heap until it comes to the top, so that the top is always when to wake next.
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

/// The standard library's sorted map, by deadline and by order of insertion: the key to cancel by is the place in the map.
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

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    fn does_what_it_is_measured_at<Q: Queue>() {
        Q::new().during(|queue| {
            let insert = |tens: u64| queue.insert(tens * 10 * MILLISECOND, Payload::MIN);
            let keys: Vec<_> = (1..=100).map(insert).collect();
            for (index, key) in keys.into_iter().enumerate() {
                if [0, 7, 99].contains(&index) {
                    queue.cancel(key);
                } else {
                    queue.release(key);
                }
            }
            // Those that round to milliseconds may be early by one, or late by two.
            assert_eq!(queue.expire(19 * MILLISECOND - 1), 0);
            assert_eq!(queue.expire(502 * MILLISECOND), 48);
            let key = queue.insert(504 * MILLISECOND, Payload::MIN);
            queue.release(key);
            assert_eq!(queue.expire(1_005 * MILLISECOND), 50);
            assert_eq!(queue.expire(5_000 * MILLISECOND), 0);
        });
    }

    #[test]
    fn all_do() {
        does_what_it_is_measured_at::<Punctual>();
        #[cfg(feature = "tokio-util")]
        does_what_it_is_measured_at::<tokio_util::TokioUtil>();
        does_what_it_is_measured_at::<HierarchicalHashWheel>();
        does_what_it_is_measured_at::<Nexus>();
        does_what_it_is_measured_at::<LazyHeap>();
        does_what_it_is_measured_at::<Sorted>();
    }
}
