//! What a process holds, and who waits for its end.

use super::alarms::AlarmId;
use super::callbacks::Callbacks;
use super::objects::{Armed, Handles, Kind};
use super::{Wake, WindowsKernel, WindowsModel, number_of};
use crate::engine::EventId;
use crate::{Called, Exit, ProcessId, Reason, WaitList};
use punctual::os::windows::PowerThrottling;
use std::collections::BTreeMap;
use std::time::Duration;

/// Everything that goes with its process.
#[derive(Debug, Default)]
pub(crate) struct ProcessState {
    pub(crate) handles: Handles,
    /// How often `timeBeginPeriod` has been called with each number and not been taken back.
    pub(super) periods: BTreeMap<u32, u32>,
    /// The one request that `NtSetTimerResolution` makes.
    pub(super) kernel_request: Option<Duration>,
    pub(super) throttling: PowerThrottling,
    pub(super) callbacks: Callbacks,
}

impl ProcessState {
    /// What it has set to happen at ticks.
    pub(super) fn alarms(&self) -> Vec<AlarmId> {
        let timers = self.armed().filter_map(|armed| match armed {
            Armed::Tick { alarm, .. } => Some(*alarm),
            Armed::OneShots(_) => None,
        });
        timers.chain(self.callbacks.alarms()).collect()
    }

    /// What it has set to happen between ticks.
    pub(super) fn one_shots(&self) -> Vec<EventId> {
        let one_shots = self.armed().filter_map(|armed| match armed {
            Armed::OneShots(one_shots) => Some(one_shots.next),
            Armed::Tick { .. } => None,
        });
        one_shots.collect()
    }

    fn armed(&self) -> impl Iterator<Item = &Armed> {
        self.handles.iter().filter_map(|object| match &object.kind {
            Kind::Timer(timer) => timer.armed.as_ref(),
            Kind::Event => None,
        })
    }

    pub(crate) fn holds_high_resolution_timer(&self) -> bool {
        self.handles.iter().any(|object| match &object.kind {
            Kind::Timer(timer) => timer.high_resolution,
            Kind::Event => false,
        })
    }
}

/// Who waits for the end of a process, and how it ended.
#[derive(Debug, Default)]
pub(super) struct Watch {
    exit: Option<Exit>,
    waiters: WaitList,
}

impl WindowsModel {
    /// Remembers how this process ends, for whoever waits for that.
    pub(crate) fn watch(&mut self, process: ProcessId) {
        self.watches.insert(process, Watch::default());
    }

    /// How a process has ended, or a wait for it to end.
    pub(crate) fn await_exit(
        &mut self,
        kernel: &mut WindowsKernel,
        process: ProcessId,
    ) -> Called<Exit> {
        let watch = self.watches.entry(process).or_default();
        if let Some(exit) = &watch.exit {
            return Called::Done(exit.clone());
        }
        let reason = Reason {
            what: "the end of process",
            number: u64::from(number_of(process)),
        };
        let waiter = kernel.block(reason, None);
        watch.waiters.add(kernel, waiter);
        Called::Waits
    }

    pub(super) fn tell_end(&mut self, kernel: &mut WindowsKernel, process: ProcessId, exit: &Exit) {
        if let Some(watch) = self.watches.get_mut(&process) {
            watch.exit = Some(exit.clone());
            watch.waiters.wake_all(kernel, Wake::Called);
        }
    }
}
