//! The handle table of a process: events and waitable timers.

use super::waitable::WaitableTimer;
use crate::{ProcessId, WaitList};
use punctual::os::windows::Win32Error;
use std::collections::BTreeSet;

/// What a handle stands for. Handles are never duplicated, so the object ends with its handle.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) signalled: bool,
    /// Serves every wait until it is reset, not just one.
    pub(super) manual_reset: bool,
    pub(super) waiters: WaitList,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Event,
    Timer(WaitableTimer),
}

impl Object {
    pub(crate) fn new(manual_reset: bool, kind: Kind) -> Self {
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

/// What names an object to its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle {
    pub(super) process: ProcessId,
    pub(super) slot: u32,
}

impl Handle {
    /// Values of handles are multiples of four, and zero is none.
    pub(super) fn value(self) -> u64 {
        const STEP: u64 = 4;
        (u64::from(self.slot) + 1) * STEP
    }
}

/// Where an object is: the number of its process, and its place in that one's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ObjectKey {
    pub(super) process: u32,
    pub(super) slot: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Handles {
    slots: Vec<Option<Object>>,
    /// Closed ones are used again, the lowest first.
    free: BTreeSet<u32>,
}

impl Handles {
    pub(super) fn add(&mut self, object: Object) -> u32 {
        let slot = self.free.pop_first().unwrap_or_else(|| {
            self.slots.push(None);
            u32::try_from(self.slots.len() - 1).expect("a table fits into memory")
        });
        self.slots[slot as usize] = Some(object);
        slot
    }

    /// Which of these objects is signalled: the first, if several are.
    #[inline]
    pub(super) fn first_signalled(&self, objects: &[Handle]) -> Result<Option<usize>, Win32Error> {
        let mut signalled = None;
        // From the last to the first: every handle is to be looked at.
        for (index, object) in objects.iter().enumerate().rev() {
            let object = self.get(object.slot);
            if object.ok_or(Win32Error::INVALID_HANDLE)?.signalled {
                signalled = Some(index);
            }
        }
        Ok(signalled)
    }

    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&Object> {
        self.slots.get(slot as usize)?.as_ref()
    }

    #[inline]
    pub(super) fn get_mut(&mut self, slot: u32) -> Option<&mut Object> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    pub(super) fn remove(&mut self, slot: u32) {
        if self.slots[slot as usize].take().is_some() {
            self.free.insert(slot);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.slots.iter().flatten()
    }
}
