//! What a waitable timer is, and what will signal it.

use super::WindowsKernel;
use super::alarms::AlarmId;
use crate::engine::EventId;
use crate::{ProcessId, What};
use punctual::Instant;
use punctual_windows::{HighResolutionTimer, Periodic};
use std::time::Duration;

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
