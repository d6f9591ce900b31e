//! A timer queue that reads no clock.

mod front;
mod lists;
mod sharing;
mod slots;
mod sort;
mod tree;

use crate::{Instant, Window};
use core::fmt;
use front::Front;
use lists::Entry;
use slots::Slots;
use tree::Tree;

pub use slots::Key;

/// A queue of timers, ordered by when they are due, to the nanosecond.
///
/// It reads no clock and starts no thread. Sleep until [`next_wakeup`](Self::next_wakeup) in your own
/// way. Then take the timers that are due one by one with [`pop_due`](Self::pop_due), or with
/// [`expire`](Self::expire) if nothing is inserted meanwhile.
///
/// # Order
///
/// Timers fire in the order of the [`latest`](Window::latest) instants of their windows of time.
/// Timers with the same `latest` fire in the order in which they were inserted or last rescheduled.
/// The order also holds for timers in the past: one that is more overdue fires first, even if it was
/// inserted later.
///
/// # Wake-ups
///
/// If you wake at each [`next_wakeup`](Self::next_wakeup), the least `latest`, and take the timers
/// that are due, all timers fire within their windows, with the fewest possible wake-ups. A timer is
/// due if it is the head of the queue and its window [has begun](Window::has_begun). A timer whose
/// window has begun waits behind a timer with a lesser `latest` whose window has not. If your thread
/// is awake for another reason, take the timers that are due: that saves a wake-up.
///
/// ```
/// use punctual::{Instant, Timers, Window};
/// use std::time::Duration;
///
/// let at = |micros: u64| Instant::from_nanos(micros * 1_000);
/// let mut timers = Timers::new();
/// timers.insert(at(1_000), "exactly after 1 ms");
/// timers.insert(Window::tolerating(at(900), Duration::from_millis(5)), "after 0.9 to 5.9 ms");
/// let key = timers.insert(at(990)..=at(2_000), "never");
/// assert_eq!(timers.cancel(key), Some("never"));
///
/// // One wake-up serves both.
/// assert_eq!(timers.next_wakeup(), Some(at(1_000)));
/// let fired: Vec<_> = timers.expire(at(1_000)).map(|fired| fired.value).collect();
/// assert_eq!(fired, ["exactly after 1 ms", "after 0.9 to 5.9 ms"]);
/// ```
#[derive(Clone)]
pub struct Timers<T> {
    slots: Slots<T>,
    /// Its first entry is live, unless there are no timers.
    front: Front,
    tree: Tree,
    /// Entries of timers that were cancelled or rescheduled.
    dead: usize,
    /// How many entries died since the last sweep.
    unswept: usize,
}

/// A timer that fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fired<T> {
    /// Its key, which is no longer valid.
    pub key: Key,
    /// The window of time in which it should fire.
    pub window: Window,
    /// The value that was inserted.
    pub value: T,
}

/// As long as more entries are dead than live, one chunk is swept each time so many die: half of
/// what fits in a chunk. A few entries for each live one then stay dead, not more.
const DEAD_PER_SWEEP: usize = lists::CHUNK / 2;

/// So few dead entries more than live ones are not swept: 16 KiB.
const DEAD_UNSWEPT: usize = 1_024;

/// If more than one entry is dead for so many live ones, looking for the dead before a list is cut
/// up costs less than moving them.
const DROPPED_EARLY: usize = 4;

impl<T> Timers<T> {
    /// An empty queue. Allocates nothing.
    pub const fn new() -> Self {
        Self::of(Slots::new())
    }

    /// An empty queue with memory for the values of this many timers. (Their order takes more memory,
    /// which depends on the windows.)
    pub fn with_capacity(timers: usize) -> Self {
        Self::of(Slots::with_capacity(timers))
    }

    const fn of(slots: Slots<T>) -> Self {
        Self {
            slots,
            front: Front::new(),
            tree: Tree::new(),
            dead: 0,
            unswept: 0,
        }
    }

    /// How many timers are in it.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no timer in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Inserts a timer. If its window lies in the past, it is due at once.
    ///
    /// # Panics
    /// With 4,294,967,295 timers, and when memory is exhausted.
    #[inline]
    pub fn insert(&mut self, window: impl Into<Window>, value: T) -> Key {
        let window = window.into();
        let (key, entry) = self.slots.insert(window, value);
        self.enqueue(entry);
        if self.front.first().is_none() {
            self.settle();
        }
        key
    }

    /// Removes a timer and returns its value; `None` if it has fired or was cancelled.
    #[inline]
    pub fn cancel(&mut self, key: Key) -> Option<T> {
        let (entry, value) = self.slots.cancel(key)?;
        if self.tree.lists.take_back(entry) {
            self.renew_versions(key.slot);
            return Some(value);
        }
        self.bury(key.slot);
        if self
            .front
            .first()
            .is_some_and(|head| head.slot() == key.slot)
        {
            self.settle();
        }
        Some(value)
    }

    /// Moves a timer to another window, behind the timers with the same `latest`. Returns `false` if
    /// it has fired or was cancelled. Its key stays valid.
    pub fn reschedule(&mut self, key: Key, window: impl Into<Window>) -> bool {
        let window = window.into();
        if self.slots.reschedule(key, window).is_none() {
            return false;
        }
        self.bury(key.slot);
        self.enqueue(self.slots.entry(key.slot));
        self.settle();
        true
    }

    /// A timer's window; `None` if it has fired or was cancelled.
    pub fn window(&self, key: Key) -> Option<Window> {
        self.slots.get(key).map(|(window, _)| window)
    }

    /// A timer's value; `None` if it has fired or was cancelled.
    pub fn get(&self, key: Key) -> Option<&T> {
        self.slots.get(key).map(|(_, value)| value)
    }

    /// A timer's value, mutable; `None` if it has fired or was cancelled.
    pub fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        self.slots.get_mut(key)
    }

    /// The instant by which to [take the timers that are due](Self::pop_due), or a timer is late: the
    /// least [`latest`](Window::latest) of all. `None` if there are no timers.
    #[inline]
    pub fn next_wakeup(&self) -> Option<Instant> {
        let head = self.front.first()?;
        Some(Instant::from_nanos(head.latest))
    }

    /// Removes and returns the head of the queue if its window [has begun](Window::has_begun) at
    /// `now`; `None` if it has not, or there are no timers.
    ///
    /// Between two calls you may insert, cancel and reschedule timers. An inserted timer takes its
    /// place in the order, and fires in the same loop if it is due. So a loop that inserts a timer for
    /// `now` or earlier in each turn does not end.
    #[inline]
    pub fn pop_due(&mut self, now: Instant) -> Option<Fired<T>> {
        let head = self.front.first()?;
        let fired = self.slots.take_begun(head.slot(), now)?;
        self.front.pop();
        self.renew_versions(head.slot());
        self.settle();
        Some(fired)
    }

    /// An iterator that removes the timers that are due at `now`, in order, like
    /// [`pop_due`](Self::pop_due). Timers that are not taken from it stay in the queue.
    pub fn expire(&mut self, now: Instant) -> Expire<'_, T> {
        Expire { timers: self, now }
    }

    /// Drops all timers. Their keys are no longer valid. Keeps the memory.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.advance();
    }

    #[inline]
    fn enqueue(&mut self, entry: Entry) {
        if entry.latest >= self.front.end() {
            self.tree.insert(entry);
        } else {
            self.enqueue_in_front(entry);
        }
    }

    fn enqueue_in_front(&mut self, entry: Entry) {
        if !self.front.insert(entry) {
            self.dead -= self.front.sweep(|entry| self.slots.is_live(entry));
            self.front.make_room(&mut self.tree);
            self.enqueue(entry);
        }
    }

    /// Deals with the entry that a slot had and no longer has.
    #[inline]
    fn bury(&mut self, slot: u32) {
        self.dead += 1;
        self.renew_versions(slot);
        self.unswept += 1;
        if self.unswept >= DEAD_PER_SWEEP && self.dead > self.len() + DEAD_UNSWEPT {
            self.sweep_some();
        }
    }

    #[cold]
    fn sweep_some(&mut self) {
        self.unswept = 0;
        self.dead -= self.tree.lists.sweep(|entry| self.slots.is_live(entry));
    }

    /// Makes the first entry of the front a live one.
    #[inline]
    fn settle(&mut self) {
        if !self
            .front
            .first()
            .is_some_and(|head| self.slots.is_live(head))
        {
            self.advance();
        }
    }

    /// Drops the dead from the front until its first entry is a live one.
    #[cold]
    fn advance(&mut self) {
        if self.is_empty() {
            self.front.clear();
            self.tree.clear();
            self.slots.start_over();
            (self.dead, self.unswept) = (0, 0);
            return;
        }
        loop {
            match self.front.first() {
                Some(head) if self.slots.is_live(head) => return,
                Some(_) => {
                    self.front.pop();
                    self.dead -= 1;
                }
                None => {
                    let drops_dead = self.dead > self.len() / DROPPED_EARLY;
                    let slots = &self.slots;
                    self.dead -= self.front.refill(&mut self.tree, slots, drops_dead);
                }
            }
        }
    }

    /// When a slot has had all its versions, no entry may be left that has one of them.
    #[inline]
    fn renew_versions(&mut self, slot: u32) {
        if self.slots.has_had_all_versions(slot) {
            self.forget_versions(slot);
        }
    }

    #[cold]
    fn forget_versions(&mut self, slot: u32) {
        self.dead -= self.front.sweep(|entry| self.slots.is_live(entry));
        self.dead -= self.tree.lists.sweep_all(|entry| self.slots.is_live(entry));
        self.slots.begin_anew(slot);
    }
}

impl<T> fmt::Debug for Timers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timers")
            .field("len", &self.len())
            .field("next_wakeup", &self.next_wakeup())
            .finish_non_exhaustive()
    }
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Removes the timers that are due, in order. Made by [`Timers::expire`].
#[derive(Debug)]
pub struct Expire<'a, T> {
    timers: &'a mut Timers<T>,
    now: Instant,
}

impl<T> Iterator for Expire<'_, T> {
    type Item = Fired<T>;

    #[inline]
    fn next(&mut self) -> Option<Fired<T>> {
        self.timers.pop_due(self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn what_was_cancelled_does_not_pile_up() {
        // Under Miri that many take a quarter of an hour.
        const LIVE: usize = if cfg!(miri) { 50 } else { 2_000 };
        let at =
            |step: usize| Instant::from_nanos(1 << 40 | (step as u64).wrapping_mul(77_777_777));
        let mut timers = Timers::new();
        // While this one waits, no other comes to the front.
        timers.insert(Instant::ZERO, 0);
        let mut keys: Vec<Key> = (0..LIVE)
            .map(|step| timers.insert(at(step), step))
            .collect();
        let mut most = 0;
        for step in LIVE..100 * LIVE {
            let key = &mut keys[step % LIVE];
            assert!(timers.cancel(*key).is_some());
            *key = timers.insert(at(step), step);
            most = most.max(timers.dead);
        }
        assert!(most <= 4 * LIVE + DEAD_UNSWEPT, "{most}");
        assert_eq!(timers.expire(Instant::MAX).count(), LIVE + 1);
        assert_eq!(timers.dead, 0);
    }
}
