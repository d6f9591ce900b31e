//! A program on the machine: its system calls, and the processes that it starts.

use super::model::{WindowsKernel, WindowsModel, number_of, ordinary};
use crate::{Error, Exit, ProcessId, Returned, call, call_and_wait, compute, records};
use punctual::os::windows::{PowerThrottling, Win32};
use punctual_windows::{Powercfg, Requester, Requests, Standing};
use std::collections::BTreeSet;
use std::time::Duration;

/// The system calls of a simulated Windows, [`Win32`] and
/// [`Win32Lab`](punctual_windows::os::windows::Win32Lab), for the calling process.
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
            model.watch(id);
            Ok(SimWindowsProcess { id })
        })
    }

    /// Sets whether the calling process is hidden and silent.
    pub fn set_hidden(&self, hidden: bool) {
        call(|model: &mut WindowsModel, kernel| {
            let process = number_of(kernel.current_process());
            model.timer.set_hidden(kernel.now(), process, hidden);
            model.schedule_tick(kernel);
        });
    }

    /// Hides the calling process or shows it, and has it tell Windows what to do with its requests.
    /// Versions that do not know what it tells refuse that, and then their own rules stay in force.
    pub fn take_standing(&self, standing: Standing) {
        self.set_hidden(standing.hidden);
        let Some(throttling) = standing.throttling else {
            return;
        };
        let setting = throttling.setting(PowerThrottling::default());
        let _ = self.set_process_information(setting);
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

    /// How many records the machine's log has: at most its [limit](crate::Limits::log). This takes no
    /// virtual time.
    pub fn records(&self) -> usize {
        records::<WindowsModel>()
    }
}

/// An ordinary call.
pub(super) fn call_system<R>(effect: impl FnOnce(&mut WindowsModel, &mut WindowsKernel) -> R) -> R {
    call(|model: &mut WindowsModel, kernel| {
        kernel.charge(model.costs.call);
        effect(model, kernel)
    })
}

/// A call that only reads what the system shares with programs.
#[inline(always)]
pub(super) fn look<R>(effect: impl FnOnce(&mut WindowsModel, &mut WindowsKernel) -> R) -> R {
    call(|model: &mut WindowsModel, kernel| {
        kernel.charge(model.costs.look);
        effect(model, kernel)
    })
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
                model.await_exit(kernel, id)
            });
            if let Returned::Done(exit) = returned {
                return exit;
            }
        }
    }
}
