//! The handle table of a process: events and waitable timers.

use super::WindowsKernel;
use super::alarms::AlarmId;
use crate::engine::EventId;
use crate::{ProcessId, WaitList, What};
use punctual::Instant;
use punctual::os::windows::Win32Error;
use punctual_windows::{HighResolutionTimer, Periodic};
use std::collections::BTreeSet;
use std::time::Duration;

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

#[derive(Debug)]
pub(crate) struct WaitableTimer {
    pub(super) high_resolution: bool,
    pub(super) armed: Option<Armed>,
}

/// How an active timer is going to be signalled.
#[derive(Debug)]
pub(super) enum Armed {
    /// By a tick.
    Tick {
        owner: ProcessId,
        alarm: AlarmId,
        periodic: Option<Periodic>,
        tolerance: Duration,
    },
    /// By interrupts of its own.
    OneShots(OneShots),
}

impl WaitableTimer {
    pub(crate) fn new(high_resolution: bool) -> Self {
        Self {
            high_resolution,
            armed: None,
        }
    }
}

/// How an active high-resolution timer is going to be signalled.
#[derive(Debug)]
pub(super) struct OneShots {
    pub(super) setting: SettingId,
    pub(super) timer: HighResolutionTimer,
    /// When the interrupt that looks at it next, or last did, was to come.
    pub(super) interrupt: Instant,
    /// What happens next.
    pub(super) next: EventId,
}

/// Tells a setting of a timer from all others on the machine: a deferred call may come when its
/// timer has been set anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SettingId(pub(super) u64);

impl SettingId {
    /// What the log calls the timer so set: odd, and no other's.
    pub(super) fn number(self) -> u64 {
        self.0 * 2 + 1
    }
}

impl OneShots {
    pub(super) fn cancel(self, kernel: &mut WindowsKernel) {
        let timer = self.setting.number();
        kernel.note(What::TimerCancelled { timer });
        kernel.cancel(self.next);
    }
}
