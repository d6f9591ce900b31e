//! What belongs to each timer, where its key finds it.

use super::Window;
use super::lists::Entry;
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
pub(super) struct Slot<T> {
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

/// What a slot is left with when all its versions have been used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(super) enum Versions {
    Left,
    /// They begin anew: no entry may be left that has an old one.
    UsedUp,
}

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
    pub fn insert(&mut self, window: Window, value: T) -> (Key, Entry) {
        let (earliest, latest) = (window.earliest().as_nanos(), window.latest().as_nanos());
        let value = Some(value);
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            (slot.earliest, slot.latest, slot.value) = (earliest, latest, value);
            return (slot.key(index), slot.entry(index));
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 timers");
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

    /// The timer of this key, if it is still valid.
    pub fn get(&self, key: Key) -> Option<(Window, &T)> {
        let slot = self.slots.get(key.slot as usize)?;
        let value = slot.value.as_ref()?;
        (slot.generation == key.generation).then(|| (slot.window(), value))
    }

    pub fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        let value = slot.value.as_mut()?;
        (slot.generation == key.generation).then_some(value)
    }

    /// Gives a timer another window, and with it another entry.
    pub fn reschedule(&mut self, key: Key, window: Window) -> Option<(Versions, Entry)> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        if slot.generation != key.generation || slot.value.is_none() {
            return None;
        }
        slot.earliest = window.earliest().as_nanos();
        slot.latest = window.latest().as_nanos();
        let versions = slot.next_version();
        Some((versions, slot.entry(key.slot)))
    }

    pub fn cancel(&mut self, key: Key) -> Option<(Versions, T)> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        if slot.generation != key.generation {
            return None;
        }
        let value = slot.value.take()?;
        Some((self.free(key.slot), value))
    }

    /// Takes the timer of a live entry, if its window has begun.
    pub fn take_begun(&mut self, index: u32, now: Instant) -> Option<(Versions, Key, Window, T)> {
        let slot = &mut self.slots[index as usize];
        if slot.earliest > now.as_nanos() {
            return None;
        }
        let value = slot.value.take()?;
        let (key, window) = (slot.key(index), slot.window());
        Some((self.free(index), key, window, value))
    }

    /// Whether it is the entry of a timer that neither fired nor was cancelled or rescheduled since.
    pub fn is_live(&self, entry: Entry) -> bool {
        let slot = &self.slots[entry.slot as usize];
        slot.version == entry.version && slot.value.is_some()
    }

    /// Drops all timers.
    pub fn clear(&mut self) {
        for index in 0..self.slots.len() {
            if self.slots[index].value.take().is_some() {
                // The caller forgets all entries, whatever their versions.
                let _ = self.free(u32::try_from(index).expect("slots are numbered in 32 bits"));
            }
        }
    }

    /// Ends a generation of a slot without a value.
    fn free(&mut self, index: u32) -> Versions {
        let slot = &mut self.slots[index as usize];
        if let Some(generation) = slot.generation.checked_add(1) {
            slot.generation = generation;
            self.free.push(index);
        }
        slot.next_version()
    }
}

impl<T> Slot<T> {
    fn key(&self, index: u32) -> Key {
        Key {
            slot: index,
            generation: self.generation,
        }
    }

    fn entry(&self, index: u32) -> Entry {
        Entry {
            latest: self.latest,
            slot: index,
            version: self.version,
        }
    }

    fn window(&self) -> Window {
        Window::from(Instant::from_nanos(self.earliest)..=Instant::from_nanos(self.latest))
    }

    fn next_version(&mut self) -> Versions {
        self.version = self.version.wrapping_add(1);
        if self.version == 0 {
            Versions::UsedUp
        } else {
            Versions::Left
        }
    }
}
