//! What belongs to each timer, where its key finds it.

use super::lists::Entry;
use super::{Fired, Window};
use crate::Instant;
use alloc::vec::Vec;

/// Names a timer in the queue it was inserted into.
///
/// It is never valid again once its timer has fired or was cancelled, however often the memory is
/// used for others: a slot has 2^32 generations, and one that has had them all is not used again.
/// Keys of another queue mean nothing, and may name any timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub(super) slot: u32,
    generation: u32,
}

#[derive(Debug, Clone)]
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
    free: Vec<u32>,
}

/// The version that no entry has.
const NO_VERSION: u32 = u32::MAX;

impl<T> Slots<T> {
    pub const fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    pub fn with_capacity(timers: usize) -> Self {
        Self {
            slots: Vec::with_capacity(timers),
            free: Vec::new(),
        }
    }

    /// # Panics
    /// With 2^32 timers.
    #[inline]
    pub fn insert(&mut self, window: Window, value: T) -> Key {
        let (earliest, latest) = (window.earliest().as_nanos(), window.latest().as_nanos());
        let value = Some(value);
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            (slot.earliest, slot.latest, slot.value) = (earliest, latest, value);
            return slot.key(index);
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 timers");
        self.slots.push(Slot {
            earliest,
            latest,
            generation: 0,
            version: 0,
            value,
        });
        Key {
            slot: index,
            generation: 0,
        }
    }

    /// The entry that the timer in a slot has from now on.
    #[inline]
    pub fn entry(&self, key: Key, latest: Instant) -> Entry {
        Entry {
            latest: latest.as_nanos(),
            slot: key.slot,
            version: self.slots[key.slot as usize].version,
        }
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

    /// Takes a timer. Its entry dies.
    #[inline]
    pub fn cancel(&mut self, key: Key) -> Option<T> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        if slot.generation != key.generation {
            return None;
        }
        let value = slot.value.take()?;
        slot.version += 1;
        if slot.ends_generation() {
            self.free.push(key.slot);
        }
        Some(value)
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
        if slot.ends_generation() {
            self.free.push(index);
        }
        Some(Fired { key, window, value })
    }

    /// Whether it is the entry of a timer that neither fired nor was cancelled or rescheduled since.
    #[inline]
    pub fn is_live(&self, entry: Entry) -> bool {
        self.slots[entry.slot as usize].version == entry.version
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

    /// Drops all timers. All entries die, and are forgotten by the caller.
    pub fn clear(&mut self) {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            slot.version = 0;
            if slot.value.take().is_some() && slot.ends_generation() {
                let index = u32::try_from(index).expect("slots are numbered in 32 bits");
                self.free.push(index);
            }
        }
    }
}

impl<T> Slot<T> {
    /// The keys that there are die. Returns whether there may be others.
    #[inline]
    fn ends_generation(&mut self) -> bool {
        match self.generation.checked_add(1) {
            Some(next) => {
                self.generation = next;
                true
            }
            None => false,
        }
    }

    #[inline]
    fn key(&self, index: u32) -> Key {
        Key {
            slot: index,
            generation: self.generation,
        }
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
        assert_eq!(timers.cancel(first), Some(1));
        timers.slots.slots[0].generation = u32::MAX;
        let last = timers.insert(SOON, 2);
        assert_eq!((last.slot, timers.cancel(last)), (0, Some(2)));
        let next = timers.insert(SOON, 3);
        assert_eq!(next.slot, 1);
        assert_eq!(timers.cancel(last), None);
        assert_eq!(timers.get(next), Some(&3));
    }
}
