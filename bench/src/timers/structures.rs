//! The timer queues that are compared, each behind the same four calls.

pub mod binary_heap;
pub mod btree_map;
pub mod hierarchical_hash_wheel;
pub mod nexus;
pub mod punctual;
#[cfg(feature = "tokio-util")]
pub mod tokio_util;

use std::num::NonZero;

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
        does_what_it_is_measured_at::<punctual::Punctual>();
        #[cfg(feature = "tokio-util")]
        does_what_it_is_measured_at::<tokio_util::TokioUtil>();
        does_what_it_is_measured_at::<hierarchical_hash_wheel::HierarchicalHashWheel>();
        does_what_it_is_measured_at::<nexus::Nexus>();
        does_what_it_is_measured_at::<binary_heap::LazyHeap>();
        does_what_it_is_measured_at::<btree_map::Sorted>();
    }
}
