//! What belongs to each timer, where its key finds it.

use super::lists::Entry;
use super::{Fired, Window};
use crate::Instant;
use alloc::vec::Vec;

/// Names a timer in the queue it was inserted into.
///
/// After its timer has fired or was cancelled, a key is never valid again, although its memory is
/// reused: a slot has 2^32 - 1 generations, and is not used again after the last. Do not use a key
/// with another queue: it may name any timer there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub(super) slot: u32,
    generation: u32,
}

/// What cancelling reads comes last: if it is 16 bytes long, as with values as large as a pointer,
/// it is in one line of the cache wherever the allocator puts it, which the whole need not be.
#[derive(Debug, Clone)]
#[repr(C)]
struct Slot<T> {
    earliest: u64,
    latest: u64,
    /// Changes when the timer fires or is cancelled. Keys have it.
    generation: u32,
    /// Changes when the timer is rescheduled, too. Entries have it.
    version: u32,
    value: Option<T>,
}

/// All timers of one queue, in no order.
#[derive(Debug, Clone)]
pub(super) struct Slots<T> {
    slots: Vec<Slot<T>>,
    /// Free slots before `used`.
    free: Vec<u32>,
    /// The slots from here on are free, too.
    used: usize,
    /// How many before it will never be used again.
    used_up: usize,
}

/// The version that no entry has.
const NO_VERSION: u32 = u32::MAX;

/// The generation that no key has: that of slots that have had all others.
const NO_GENERATION: u32 = u32::MAX;

impl<T> Slots<T> {
    pub const fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            used: 0,
            used_up: 0,
        }
    }

    pub fn with_capacity(timers: usize) -> Self {
        Self {
            slots: Vec::with_capacity(timers),
            ..Self::new()
        }
    }

    /// How many timers there are. Not counted apart, because the processor would wait for each
    /// change to be written before the next.
    pub fn len(&self) -> usize {
        self.used - self.used_up - self.free.len()
    }

    /// Returns the timer's key and its entry.
    ///
    /// # Panics
    /// With 2^32 timers.
    #[inline]
    pub fn insert(&mut self, window: Window, value: T) -> (Key, Entry) {
        let index = self.free.pop().unwrap_or_else(|| self.next_unused());
        let (earliest, latest) = (window.earliest().as_nanos(), window.latest().as_nanos());
        let value = Some(value);
        if let Some(slot) = self.slots.get_mut(index as usize) {
            (slot.earliest, slot.latest, slot.value) = (earliest, latest, value);
            return (slot.key(index), slot.entry(index));
        }
        let slot = Slot {
            earliest,
            latest,
            generation: 0,
            version: 0,
            value,
        };
        let names = (slot.key(index), slot.entry(index));
        self.slots.push(slot);
        names
    }

    /// The first slot that was not in use since the last start, or would be the next of all.
    #[inline]
    fn next_unused(&mut self) -> u32 {
        let is_used_up = |slot: &Slot<T>| slot.generation == NO_GENERATION;
        while self.slots.get(self.used).is_some_and(is_used_up) {
            self.used += 1;
            self.used_up += 1;
        }
        let index = u32::try_from(self.used).expect("fewer than 2^32 timers");
        self.used += 1;
        index
    }

    /// The timer of this key, if it is still valid.
    pub fn get(&self, key: Key) -> Option<(Window, &T)> {
        let slot = self.slots.get(key.slot as usize)?;
        let value = slot.value.as_ref()?;
        (slot.generation == key.generation).then(|| (slot.window(), value))
    }

    /// The window of the timer in a slot.
    pub fn window(&self, index: u32) -> Window {
        self.slots[index as usize].window()
    }

    /// The timer in a slot, if there is one.
    #[cfg(feature = "std")]
    #[inline]
    pub fn occupied(&self, index: u32) -> Option<(Window, &T)> {
        let slot = &self.slots[index as usize];
        Some((slot.window(), slot.value.as_ref()?))
    }

    pub fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        let value = slot.value.as_mut()?;
        (slot.generation == key.generation).then_some(value)
    }

    /// Gives a timer another window. Its entry dies.
    pub fn reschedule(&mut self, key: Key, window: Window) -> Option<()> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        if slot.generation != key.generation || slot.value.is_none() {
            return None;
        }
        slot.earliest = window.earliest().as_nanos();
        slot.latest = window.latest().as_nanos();
        slot.version += 1;
        Some(())
    }

    /// The entry that the timer in a slot has from now on.
    pub fn entry(&self, index: u32) -> Entry {
        self.slots[index as usize].entry(index)
    }

    /// Takes a timer. Its entry dies, and is returned as well.
    #[inline]
    pub fn cancel(&mut self, key: Key) -> Option<(Entry, T)> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        if slot.generation != key.generation {
            return None;
        }
        let value = slot.value.take()?;
        let entry = slot.entry(key.slot);
        slot.version += 1;
        self.release(key.slot);
        Some((entry, value))
    }

    /// Takes the timer of a live entry, if its window has begun.
    #[inline]
    pub fn take_begun(&mut self, index: u32, now: Instant) -> Option<Fired<T>> {
        let slot = &mut self.slots[index as usize];
        if slot.earliest > now.as_nanos() {
            return None;
        }
        let value = slot.value.take()?;
        let (key, window) = (slot.key(index), slot.window());
        slot.version += 1;
        self.release(index);
        Some(Fired { key, window, value })
    }

    /// The keys of a slot die.
    #[inline]
    fn release(&mut self, index: u32) {
        if self.slots[index as usize].ends_generation() {
            self.free.push(index);
        } else {
            self.used_up += 1;
        }
    }

    /// Whether it is the entry of a timer that neither fired nor was cancelled or rescheduled since.
    #[inline]
    pub fn is_live(&self, entry: Entry) -> bool {
        self.slots[entry.slot() as usize].version == entry.version()
    }

    /// Whether it is live, for an entry whose timer is taken soon: reads from both ends of the slot,
    /// so that they are in the cache then. To ask for many, one after the other, is to wait for
    /// memory once, where to take one after the other is to wait for each.
    #[inline]
    pub fn is_live_and_near(&self, entry: Entry) -> bool {
        let slot = &self.slots[entry.slot() as usize];
        (slot.version == entry.version()) & (slot.latest == entry.latest)
    }

    /// Whether a slot has had all its versions. Then the dead must be swept before it
    /// [begins anew](Slots::begin_anew).
    #[inline]
    pub fn has_had_all_versions(&self, index: u32) -> bool {
        self.slots[index as usize].version == NO_VERSION
    }

    /// Lets a slot that has had all its versions have them all again.
    pub fn begin_anew(&mut self, index: u32) {
        self.slots[index as usize].version = 0;
    }

    /// When no timer is left: slots are given out in the order in which they lie again, and no
    /// longer in that in which they became free. So what is inserted next is written in sequence.
    pub fn start_over(&mut self) {
        self.free.clear();
        (self.used, self.used_up) = (0, 0);
    }

    /// Drops all timers. All entries die, and are forgotten by the caller.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            slot.version = 0;
            if slot.value.take().is_some() {
                slot.ends_generation();
            }
        }
        self.start_over();
    }
}

impl<T> Slot<T> {
    /// The keys that there are die. Returns whether there may be others.
    #[inline]
    fn ends_generation(&mut self) -> bool {
        // There is no next after the last: a slot that had it holds no timer.
        self.generation += 1;
        self.generation != NO_GENERATION
    }

    #[inline]
    fn key(&self, index: u32) -> Key {
        Key {
            slot: index,
            generation: self.generation,
        }
    }

    #[inline]
    fn entry(&self, index: u32) -> Entry {
        Entry::new(self.latest, index, self.version)
    }

    #[inline]
    fn window(&self) -> Window {
        Window {
            earliest: Instant::from_nanos(self.earliest),
            latest: Instant::from_nanos(self.latest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timers;

    const SOON: Instant = Instant::from_nanos(1);
    const LATER: Instant = Instant::from_nanos(2);

    #[test]
    fn a_slot_that_had_all_its_versions_begins_anew_without_old_entries() {
        let mut timers = Timers::new();
        let head = timers.insert(SOON, "head");
        let key = timers.insert(LATER, "moved");
        // Its first entry, of version 0, stays behind the head and is dead from here on.
        assert!(timers.reschedule(key, Instant::MAX));
        timers.slots.slots[key.slot as usize].version = NO_VERSION - 1;
        assert!(timers.reschedule(key, Instant::MAX));
        assert_eq!(timers.slots.slots[key.slot as usize].version, 0);
        assert_eq!(timers.cancel(head), Some("head"));
        assert_eq!(timers.next_wakeup(), Some(Instant::MAX));
        assert_eq!(timers.expire(Instant::MAX).count(), 1);
    }

    #[test]
    fn a_slot_that_had_all_its_generations_is_not_used_again() {
        let mut timers = Timers::new();
        let first = timers.insert(SOON, 1);
        let other = timers.insert(SOON, 0);
        assert_eq!(timers.cancel(first), Some(1));
        timers.slots.slots[0].generation = NO_GENERATION - 1;
        let last = timers.insert(SOON, 2);
        assert_eq!((last.slot, timers.cancel(last)), (0, Some(2)));
        let next = timers.insert(SOON, 3);
        assert_eq!(next.slot, 2);
        assert_eq!(timers.cancel(last), None);
        assert_eq!(timers.get(next), Some(&3));
        // Nor when there is no timer left and slots are given out from the first again.
        assert_eq!(
            (timers.cancel(next), timers.cancel(other)),
            (Some(3), Some(0))
        );
        let again = [timers.insert(SOON, 4).slot, timers.insert(SOON, 5).slot];
        assert_eq!(again, [1, 2]);
        assert_eq!(timers.cancel(last), None);
    }

    #[test]
    fn an_empty_queue_gives_slots_out_in_the_order_in_which_they_lie() {
        let mut timers = Timers::new();
        let mut dead = Vec::new();
        for round in 0..3_u32 {
            let keys: Vec<_> = (0..5).map(|_| timers.insert(SOON, round)).collect();
            let slots: Vec<_> = keys.iter().map(|key| key.slot).collect();
            assert_eq!(slots, [0, 1, 2, 3, 4]);
            for index in [3, 0, 4, 2, 1] {
                assert_eq!(timers.cancel(keys[index]), Some(round));
            }
            dead.extend(keys);
        }
        timers.insert(SOON, 9);
        assert!(dead.iter().all(|&key| timers.get(key).is_none()));
    }
}
