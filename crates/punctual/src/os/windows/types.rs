//! What the calls take and return: Windows' own values, in types that keep them apart.

use std::fmt;

/// For `milliseconds` of a wait: for ever.
pub const INFINITE: u32 = u32::MAX;

/// For `flags` of [`create_waitable_timer_ex_w`](super::Win32::create_waitable_timer_ex_w): the
/// timer serves every wait on it until it is set again, not just one.
pub const CREATE_WAITABLE_TIMER_MANUAL_RESET: u32 = 0x1;
/// For the same `flags`: the clock makes an interrupt of its own for this timer instead of waiting
/// for a tick. From Windows 10 version 1803; earlier ones answer
/// [`INVALID_PARAMETER`](Win32Error::INVALID_PARAMETER).
pub const CREATE_WAITABLE_TIMER_HIGH_RESOLUTION: u32 = 0x2;

/// For `desired_access`: to wait on the object.
pub const SYNCHRONIZE: u32 = 0x0010_0000;
/// For `desired_access`: to set and cancel the timer.
pub const TIMER_MODIFY_STATE: u32 = 0x2;

/// Ahead of ordinary threads of the process's priority class, by two steps.
pub const THREAD_PRIORITY_HIGHEST: i32 = 2;
/// The highest priority there is outside the real-time class, whatever the class.
pub const THREAD_PRIORITY_TIME_CRITICAL: i32 = 15;

/// Why a call failed: the code as Windows returned it, with the set of codes it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Win32Error {
    /// What `GetLastError` answers.
    LastError(u32),
    /// An `MMRESULT`: what the multimedia timer functions (`time…`) return.
    MmResult(u32),
    /// An `NTSTATUS`: what the functions of ntdll (`Nt…`) return.
    NtStatus(i32),
}

impl Win32Error {
    /// `ERROR_ACCESS_DENIED`.
    pub const ACCESS_DENIED: Self = Self::LastError(5);
    /// `ERROR_INVALID_HANDLE`.
    pub const INVALID_HANDLE: Self = Self::LastError(6);
    /// `ERROR_INVALID_PARAMETER`: also what a version answers to a flag or a class it doesn't know.
    pub const INVALID_PARAMETER: Self = Self::LastError(87);
    /// `ERROR_MOD_NOT_FOUND`: a library is not there.
    pub const MOD_NOT_FOUND: Self = Self::LastError(126);
    /// `ERROR_PROC_NOT_FOUND`: what every call answers on a version that doesn't have it.
    pub const PROC_NOT_FOUND: Self = Self::LastError(127);
    /// `ERROR_NO_SYSTEM_RESOURCES`.
    pub const NO_SYSTEM_RESOURCES: Self = Self::LastError(1450);
    /// `ERROR_INVALID_TASK_NAME`.
    pub const INVALID_TASK_NAME: Self = Self::LastError(1550);
    /// `ERROR_THREAD_ALREADY_IN_TASK`.
    pub const THREAD_ALREADY_IN_TASK: Self = Self::LastError(1552);
    /// `TIMERR_NOCANDO`: a period outside the range that
    /// [`time_get_dev_caps`](super::Win32::time_get_dev_caps) reports, or one never begun.
    pub const NO_CAN_DO: Self = Self::MmResult(97);
}

impl fmt::Display for Win32Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LastError(code) => write!(f, "Windows error {code}"),
            Self::MmResult(code) => write!(f, "multimedia result {code}"),
            Self::NtStatus(code) => write!(f, "status {code:#010X}"),
        }
    }
}

impl std::error::Error for Win32Error {}

/// What ended a wait on objects. A wait that failed is a [`Win32Error`] instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// `WAIT_OBJECT_0 + n`: the object with this index, the lowest of those signalled.
    Object(usize),
    /// `WAIT_TIMEOUT`.
    Timeout,
}

/// `TIMECAPS`: the periods that may be requested, in milliseconds.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/ns-timeapi-timecaps>
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeCaps {
    /// `wPeriodMin`: the least.
    pub period_min: u32,
    /// `wPeriodMax`: the greatest.
    pub period_max: u32,
}

/// The spacing of timer interrupts, in 100-nanosecond units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerResolution {
    /// The default interval: the widest spacing there is.
    pub maximum_time: u32,
    /// The narrowest spacing that may be requested.
    pub minimum_time: u32,
    /// The spacing in force.
    pub current_time: u32,
}

/// `PROCESS_POWER_THROTTLING_STATE`, without its version: which mechanisms the process controls
/// itself, and which of those it turns on. What it does not control is the system's to decide.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/ns-processthreadsapi-process_power_throttling_state>
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PowerThrottling {
    /// `ControlMask`.
    pub control_mask: u32,
    /// `StateMask`.
    pub state_mask: u32,
}

impl PowerThrottling {
    /// `PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION`, from Windows 11. In `control_mask` alone
    /// it means that requests are always honoured; in both masks, that they never are.
    pub const IGNORE_TIMER_RESOLUTION: u32 = 0x4;

    /// The same state, but with the process's requests always honoured.
    #[must_use]
    pub const fn honouring_requests(self) -> Self {
        Self {
            control_mask: self.control_mask | Self::IGNORE_TIMER_RESOLUTION,
            state_mask: self.state_mask & !Self::IGNORE_TIMER_RESOLUTION,
        }
    }
}

/// Which processors may be used: bit *n* is processor *n* of the process's group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AffinityMasks {
    /// By the process. Zero if its threads are in several groups.
    pub process: usize,
    /// By any process.
    pub system: usize,
}
