//! What a process holds, and the handle of the program in it.

use super::alarms::AlarmId;
use super::callbacks::Callbacks;
use super::model::{Wake, WindowsKernel, WindowsModel, number_of};
use super::objects::{Handles, Kind};
use super::timers::Armed;
use crate::engine::EventId;
use crate::windows::{Powercfg, Requester, Requests};
use crate::{
    Called, Error, Exit, NORMAL_PRIORITY, ProcessId, Reason, Returned, Start, WaitList, call,
    call_and_wait, compute,
};
use punctual::os::windows::PowerThrottling;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Everything that goes with its process.
#[derive(Debug, Default)]
pub(super) struct ProcessState {
    pub(super) handles: Handles,
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

    fn holds_high_resolution_timer(&self) -> bool {
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
    pub(super) fn tell_end(&mut self, kernel: &mut WindowsKernel, process: ProcessId, exit: &Exit) {
        if let Some(watch) = self.watches.get_mut(&process) {
            watch.exit = Some(exit.clone());
            watch.waiters.wake_all(kernel, Wake::Called);
        }
    }
}

/// The system calls of a simulated Windows, [`Win32`](punctual::os::windows::Win32) and
/// [`Win32Lab`](punctual::os::windows::Win32Lab), for the calling process.
///
/// It holds no state, and all clones are the same. Its methods panic while no simulated Windows runs on
/// this host thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimWin32(());

impl SimWin32 {
    pub(super) const fn new() -> Self {
        Self(())
    }

    /// Uses processor time, like a program that computes.
    pub fn compute(&self, duration: Duration) {
        compute::<WindowsModel>(duration);
    }

    /// Starts a process. It ends when `body` returns or panics, or when it is killed. Everything that it
    /// held is then released, including its requests.
    ///
    /// # Errors
    /// At the [limit](crate::Limits) of processes or threads.
    pub fn start(
        &self,
        name: &str,
        body: impl FnOnce(SimWin32) + Send + 'static,
    ) -> Result<SimWindowsProcess, Error> {
        let win32 = *self;
        call(|model: &mut WindowsModel, kernel| {
            kernel.charge(model.costs.call);
            let start = ordinary(kernel);
            let id = kernel.start_process(name, start, move || body(win32))?;
            model.watches.insert(id, Watch::default());
            Ok(SimWindowsProcess { id })
        })
    }

    /// Sets whether the calling process is hidden and silent.
    pub fn set_occluded(&self, occluded: bool) {
        call(|model: &mut WindowsModel, kernel| {
            let process = number_of(kernel.current_process());
            model.timer.set_occluded(kernel.now(), process, occluded);
            model.schedule_tick(kernel);
        });
    }

    /// Makes the driver of this number request an interval, by `ExSetTimerResolution`.
    pub fn begin_driver_request(&self, driver: u32, interval: Duration) {
        call(|model: &mut WindowsModel, kernel| {
            let driver = Requester::Driver(driver);
            model.timer.begin_request(kernel.now(), driver, interval);
            model.schedule_tick(kernel);
        });
    }

    /// Makes the driver end one such request; `false` if it has none.
    pub fn end_driver_request(&self, driver: u32, interval: Duration) -> bool {
        call(|model: &mut WindowsModel, kernel| {
            let driver = Requester::Driver(driver);
            let held = model.timer.end_request(kernel.now(), driver, interval);
            model.schedule_tick(kernel);
            held
        })
    }

    /// What `powercfg /energy` shows. Processes are listed by their
    /// [numbers](SimWindowsProcess::number).
    pub fn powercfg(&self) -> Powercfg {
        call(|model: &mut WindowsModel, _| {
            let high_resolution: BTreeSet<u32> = (0..)
                .zip(&model.processes)
                .filter(|(_, process)| process.holds_high_resolution_timer())
                .map(|(number, _)| number)
                .collect();
            let timer = &model.timer;
            let requests = timer.requests();
            Powercfg::view(
                timer.rules(),
                timer.parameters(),
                requests,
                &high_resolution,
            )
        })
    }

    /// All outstanding requests.
    pub fn requests(&self) -> Requests {
        call(|model: &mut WindowsModel, _| model.timer.requests().clone())
    }

    /// The smallest request in force, whoever made it.
    pub fn smallest_request(&self) -> Option<Duration> {
        call(|model: &mut WindowsModel, _| {
            let timer = &model.timer;
            timer.requests().smallest(timer.rules())
        })
    }

    /// The calling process's number, for [`powercfg`](Self::powercfg).
    pub fn number(&self) -> u32 {
        call(|_: &mut WindowsModel, kernel| number_of(kernel.current_process()))
    }

    /// The name with which the process of this number was [started](Self::start); `main` for the
    /// program the machine was given.
    pub fn process_name(&self, number: u32) -> Option<String> {
        call(|_: &mut WindowsModel, kernel| {
            let process = kernel.processes.at(number)?;
            Some(process.name.clone())
        })
    }

    /// The processor time that the calling thread has used.
    pub fn processor_time(&self) -> Duration {
        call(|_: &mut WindowsModel, kernel| {
            let thread = kernel.current_thread();
            kernel.processor_time(thread).unwrap_or_default()
        })
    }

    /// How long the calling thread was ready to run while others had the processors.
    pub fn queue_time(&self) -> Duration {
        call(|_: &mut WindowsModel, kernel| {
            let thread = kernel.current_thread();
            kernel.queue_time(thread).unwrap_or_default()
        })
    }

    /// The processor on which the calling thread runs.
    pub fn processor(&self) -> usize {
        call(|_: &mut WindowsModel, kernel| kernel.current_processor())
    }
}

pub(super) fn ordinary(kernel: &WindowsKernel) -> Start {
    Start {
        priority: NORMAL_PRIORITY,
        affinity: kernel.all_processors(),
        background: false,
    }
}

/// A process that was [started](SimWin32::start). If this is dropped, the process goes on.
#[derive(Debug, Clone, Copy)]
pub struct SimWindowsProcess {
    id: ProcessId,
}

impl SimWindowsProcess {
    /// Its number, which a later process may have once this one has ended.
    pub fn number(&self) -> u32 {
        number_of(self.id)
    }

    /// Ends it at once. Nothing happens if it has ended.
    pub fn kill(&self) {
        let id = self.id;
        call(|model: &mut WindowsModel, kernel| {
            kernel.charge(model.costs.call);
            kernel.end(id, Exit::Killed);
        });
    }

    /// Waits for its end, and returns how it ended.
    pub fn wait(&self) -> Exit {
        let id = self.id;
        loop {
            let returned = call_and_wait(|model: &mut WindowsModel, kernel| {
                kernel.charge(model.costs.call);
                let watch = model.watches.entry(id).or_default();
                if let Some(exit) = &watch.exit {
                    return Called::Done(exit.clone());
                }
                let reason = Reason {
                    what: "the end of process",
                    number: u64::from(number_of(id)),
                };
                let waiter = kernel.block(reason, None);
                watch.waiters.add(kernel, waiter);
                Called::Waits
            });
            if let Returned::Done(exit) = returned {
                return exit;
            }
        }
    }
}
