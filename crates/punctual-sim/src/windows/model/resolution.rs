//! Requests for an interval, and what a process wants done with its own.

use super::system_clock::{NANOS_PER_UNIT, units};
use super::{WindowsKernel, WindowsModel, number_of};
use crate::ProcessId;
use crate::windows::Generation;
use punctual::os::windows::{PowerThrottling, TimeCaps, TimerResolution, Win32Error};
use punctual_windows::choices::{self, Lattice};
use punctual_windows::{Femtos, Requester, Throttling, tick_interval};
use std::time::Duration;

/// What `timeGetDevCaps` says everywhere.
pub(crate) const CAPABILITIES: TimeCaps = TimeCaps {
    period_min: 1,
    period_max: 1_000_000,
};

/// `STATUS_TIMER_RESOLUTION_NOT_SET` of ntstatus.h.
const TIMER_RESOLUTION_NOT_SET: Win32Error = Win32Error::NtStatus(0xC000_0245_u32.cast_signed());

/// `PROCESS_POWER_THROTTLING_EXECUTION_SPEED` of processthreadsapi.h, which came with the class.
const EXECUTION_SPEED: u32 = 0x1;

const UNIT: Femtos = Femtos::from_nanos(NANOS_PER_UNIT);
const HALF_A_UNIT: Femtos = Femtos::from_nanos(NANOS_PER_UNIT / 2);

impl WindowsModel {
    /// `timeBeginPeriod`.
    pub(crate) fn begin_period(
        &mut self,
        kernel: &mut WindowsKernel,
        period: u32,
    ) -> Result<(), Win32Error> {
        if !(CAPABILITIES.period_min..=CAPABILITIES.period_max).contains(&period) {
            return Err(Win32Error::NO_CAN_DO);
        }
        let process = kernel.current_process();
        *self.process(process).periods.entry(period).or_default() += 1;
        self.begin_request(kernel, process, milliseconds(period));
        Ok(())
    }

    /// `timeEndPeriod`.
    pub(crate) fn end_period(
        &mut self,
        kernel: &mut WindowsKernel,
        period: u32,
    ) -> Result<(), Win32Error> {
        let process = kernel.current_process();
        let periods = &mut self.process(process).periods;
        let Some(count) = periods.get_mut(&period) else {
            return Err(Win32Error::NO_CAN_DO);
        };
        *count -= 1;
        if *count == 0 {
            periods.remove(&period);
        }
        self.end_request(kernel, process, milliseconds(period));
        Ok(())
    }

    /// `NtSetTimerResolution`: a process has one such request, which a later one replaces.
    pub(crate) fn set_kernel_request(
        &mut self,
        kernel: &mut WindowsKernel,
        desired: u32,
        set: bool,
    ) -> Result<u32, Win32Error> {
        let process = kernel.current_process();
        let before = self.process(process).kernel_request.take();
        if !set && before.is_none() {
            return Err(TIMER_RESOLUTION_NOT_SET);
        }
        if set {
            let desired = Duration::from_nanos(u64::from(desired) * NANOS_PER_UNIT);
            self.process(process).kernel_request = Some(desired);
            self.begin_request(kernel, process, desired);
        }
        if let Some(before) = before {
            self.end_request(kernel, process, before);
        }
        let timer = &self.timer;
        let smallest = timer.requests().smallest(timer.rules());
        let interval = tick_interval(timer.rules(), timer.parameters(), smallest);
        Ok(self.shown(interval))
    }

    /// `NtQueryTimerResolution`.
    pub(crate) fn timer_resolution(&self, kernel: &WindowsKernel) -> TimerResolution {
        let parameters = self.timer.parameters();
        let interval = self.timer.clock().interval(kernel.now());
        TimerResolution {
            maximum_time: duration_in_units(parameters.default_interval),
            minimum_time: duration_in_units(parameters.smallest_interval),
            current_time: self.shown(interval),
        }
    }

    /// An interval in units of 100 ns: whole quanta are cut off (mic-table); of the rates of
    /// XP's real-time clock, the nearest unit is shown.
    fn shown(&self, interval: Femtos) -> u32 {
        let half = match self.timer.rules().lattice {
            Lattice::WholeQuanta => Femtos::ZERO,
            Lattice::PowersOfTwo | Lattice::AtRequest => HALF_A_UNIT,
        };
        u32::try_from((interval + half).whole(UNIT)).unwrap_or(u32::MAX)
    }

    pub(super) fn begin_request(
        &mut self,
        kernel: &mut WindowsKernel,
        process: ProcessId,
        interval: Duration,
    ) {
        let requester = Requester::Process(number_of(process));
        self.timer.begin_request(kernel.now(), requester, interval);
        self.schedule_tick(kernel);
    }

    pub(super) fn end_request(
        &mut self,
        kernel: &mut WindowsKernel,
        process: ProcessId,
        interval: Duration,
    ) {
        let requester = Requester::Process(number_of(process));
        self.timer.end_request(kernel.now(), requester, interval);
        self.schedule_tick(kernel);
    }

    /// `GetProcessInformation(ProcessPowerThrottling)`.
    pub(crate) fn power_throttling(
        &mut self,
        kernel: &WindowsKernel,
    ) -> Result<PowerThrottling, Win32Error> {
        self.expect_power_throttling()?;
        Ok(self.process(kernel.current_process()).throttling)
    }

    /// `SetProcessInformation(ProcessPowerThrottling)`.
    pub(crate) fn set_power_throttling(
        &mut self,
        kernel: &mut WindowsKernel,
        throttling: PowerThrottling,
    ) -> Result<(), Win32Error> {
        self.expect_power_throttling()?;
        let PowerThrottling {
            control_mask,
            state_mask,
        } = throttling;
        let known = match self.timer.rules().throttling {
            choices::Throttling::Unknown => EXECUTION_SPEED,
            choices::Throttling::Known => {
                EXECUTION_SPEED | PowerThrottling::IGNORE_TIMER_RESOLUTION
            }
        };
        if (control_mask | state_mask) & !known != 0 {
            return Err(Win32Error::INVALID_PARAMETER);
        }
        let process = kernel.current_process();
        self.process(process).throttling = throttling;
        let said = Throttling::from_masks(control_mask, state_mask);
        let number = number_of(process);
        self.timer.set_throttling(kernel.now(), number, said);
        self.schedule_tick(kernel);
        Ok(())
    }

    fn expect_power_throttling(&self) -> Result<(), Win32Error> {
        self.generation.needs(Generation::Eight)?;
        // The call came with Windows 8, and this class of information with version 1709 of 10.
        let class = self.generation.needs(Generation::Ten);
        class.map_err(|_| Win32Error::INVALID_PARAMETER)
    }
}

fn milliseconds(period: u32) -> Duration {
    Duration::from_millis(u64::from(period))
}

/// To the nearest unit of 100 ns.
fn duration_in_units(duration: Duration) -> u32 {
    units(duration.saturating_add(Duration::from_nanos(NANOS_PER_UNIT / 2)))
}
