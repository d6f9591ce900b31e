//! The handle table of a process: events and waitable timers.

use super::timers::WaitableTimer;
use crate::WaitList;
use punctual::os::windows::{Handle, Win32Error};
use std::collections::BTreeSet;

/// What a handle stands for. Handles are never duplicated, so the object ends with its handle.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) signalled: bool,
    /// Serves every wait until it is reset, not just one.
    pub(super) manual_reset: bool,
    pub(super) waiters: WaitList,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Event,
    Timer(WaitableTimer),
}

impl Object {
    pub(super) fn new(manual_reset: bool, kind: Kind) -> Self {
        Self {
            signalled: false,
            manual_reset,
            waiters: WaitList::default(),
            kind,
        }
    }

    /// A wait ends on it.
    pub(super) fn serve(&mut self) {
        if !self.manual_reset {
            self.signalled = false;
        }
    }
}

/// Where an object is: the number of its process, and its place in that one's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ObjectKey {
    pub(super) process: usize,
    pub(super) slot: usize,
}

#[derive(Debug, Default)]
pub(super) struct Handles {
    slots: Vec<Option<Object>>,
    /// Closed ones are used again, the lowest first.
    free: BTreeSet<usize>,
}

/// Handle values are multiples of four, and zero is none.
const STEP: isize = 4;

impl Handles {
    pub(super) fn add(&mut self, object: Object) -> Handle {
        let slot = self.free.pop_first().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(object);
        handle_of(slot)
    }

    pub(super) fn slot(&self, handle: Handle) -> Result<usize, Win32Error> {
        let number = handle.0 / STEP - 1;
        let slot = usize::try_from(number).ok();
        let slot = slot.filter(|slot| handle.0 % STEP == 0 && self.get(*slot).is_some());
        slot.ok_or(Win32Error::INVALID_HANDLE)
    }

    pub(super) fn find(&mut self, handle: Handle) -> Result<&mut Object, Win32Error> {
        let slot = self.slot(handle)?;
        self.get_mut(slot).ok_or(Win32Error::INVALID_HANDLE)
    }

    pub(super) fn get(&self, slot: usize) -> Option<&Object> {
        self.slots.get(slot)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, slot: usize) -> Option<&mut Object> {
        self.slots.get_mut(slot)?.as_mut()
    }

    pub(super) fn remove(&mut self, slot: usize) {
        if self.slots[slot].take().is_some() {
            self.free.insert(slot);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.slots.iter().flatten()
    }
}

pub(super) fn handle_of(slot: usize) -> Handle {
    let slot = isize::try_from(slot).expect("a table fits into memory");
    Handle((slot + 1) * STEP)
}
