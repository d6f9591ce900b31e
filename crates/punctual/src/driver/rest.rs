//! The protocol by which a driver falls asleep and is woken: one word next to the queues.
//!
//! Before the driver sleeps, it writes until when it expects to rest. Then it locks each queue in turn and
//! reads its head. Then it writes until when it does rest, which is never later: if the queues say so, it
//! looks once more, disturbed by anything. A thread that inserts reads the word after it has released the
//! queue's lock. If the driver had read that queue's head before, the thread sees the first word and
//! rings, unless its timer comes after what the driver wakes for anyway. If not, the driver reads the
//! inserted timer. The bell stays rung, so a ring before the driver's wait is not lost.
//!
//! `tests/loom.rs` tries all orders in which two threads and the driver can do this.

use super::atomic::{AtomicU64, Ordering};

/// What the driver's thread is doing: the instant in nanoseconds until which it rests.
#[derive(Debug)]
pub(super) struct Rest(AtomicU64);

/// It works, and looks at every queue before it rests.
const AWAKE: u64 = 0;

/// Whatever comes disturbs it: it is looking at the queues, or rests until it is rung.
const FOR_EVER: u64 = u64::MAX;

// All orderings are relaxed. The locks of the queues order this word and what it is about; an
// exchange is atomic without any.
impl Rest {
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(AWAKE))
    }

    /// The driver works from here on.
    pub(super) fn awake(&self) {
        self.0.store(AWAKE, Ordering::Relaxed);
    }

    /// The driver is going to rest until the nanosecond that `look` finds in the queues, each of
    /// which it locks; for ever, if it finds none. `expected` is what it is likely to find.
    pub(super) fn fall_asleep<T>(
        &self,
        mut expected: u64,
        mut look: impl FnMut() -> (Option<u64>, T),
    ) -> T {
        loop {
            // Nothing rests until the first instant there is: that would be no rest.
            expected = expected.max(AWAKE + 1);
            self.0.store(expected, Ordering::Relaxed);
            let (until, found) = look();
            let until = until.unwrap_or(FOR_EVER).max(AWAKE + 1);
            if until <= expected {
                self.0.store(until, Ordering::Relaxed);
                return found;
            }
            // What was expected went away. What came meanwhile, between that and this, did not ring.
            expected = FOR_EVER;
        }
    }

    /// Whether the driver must be woken for a timer that is due by this nanosecond. Call it after the
    /// timer was inserted and the queue's lock was released.
    pub(super) fn is_disturbed_by(&self, latest: u64) -> bool {
        let rest = self.0.load(Ordering::Relaxed);
        latest < rest || rest == FOR_EVER
    }

    /// Marks the driver as woken. Returns whether the bell must be rung: not if the driver is awake, or
    /// if another thread is about to ring.
    pub(super) fn disturb(&self) -> bool {
        self.0.swap(AWAKE, Ordering::Relaxed) != AWAKE
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_what_is_expected_does_not_disturb_the_look() {
        let rest = Rest::new();
        rest.fall_asleep(9, || {
            assert!(!rest.is_disturbed_by(9));
            assert!(rest.is_disturbed_by(8));
            (Some(5), ())
        });
        assert!(!rest.is_disturbed_by(5));
        assert!(rest.is_disturbed_by(4));
    }

    #[test]
    fn if_what_was_expected_went_away_it_looks_once_more() {
        let (rest, mut looks) = (Rest::new(), 0);
        rest.fall_asleep(2, || {
            looks += 1;
            assert_eq!(rest.is_disturbed_by(7), looks == 2);
            (Some(9), ())
        });
        assert_eq!(looks, 2);
        assert!(!rest.is_disturbed_by(9));
    }
}
