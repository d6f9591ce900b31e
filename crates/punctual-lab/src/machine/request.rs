//! A request for a timer interval, through either of the two calls that make one.

use punctual::os::windows::Win32Error;
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// The unit of `NtQueryTimerResolution` and `NtSetTimerResolution`.
pub(crate) const NANOS_PER_UNIT: u64 = 100;

/// The call to use: `timeBeginPeriod` takes whole milliseconds, `NtSetTimerResolution` units of 100
/// ns.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Request {
    Milliseconds(u32),
    Units(u32),
}

impl Request {
    /// Uses the documented call if possible.
    pub(crate) fn of(interval: Duration) -> Self {
        let milliseconds = u32::try_from(interval.as_millis()).unwrap_or(u32::MAX);
        if Duration::from_millis(milliseconds.into()) == interval {
            Self::Milliseconds(milliseconds)
        } else {
            Self::in_units(interval)
        }
    }

    /// Uses the kernel's own call, and rounds up. A process has one such request: a second call
    /// replaces it.
    pub(crate) fn in_units(interval: Duration) -> Self {
        let units = interval.as_nanos().div_ceil(u128::from(NANOS_PER_UNIT));
        Self::Units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    pub(crate) fn begin<W: Win32Lab>(self, win32: &W) -> Result<(), Win32Error> {
        match self {
            Self::Milliseconds(period) => win32.time_begin_period(period),
            Self::Units(units) => win32.nt_set_timer_resolution(units, true).map(drop),
        }
    }

    pub(crate) fn end<W: Win32Lab>(self, win32: &W) -> Result<(), Win32Error> {
        match self {
            Self::Milliseconds(period) => win32.time_end_period(period),
            Self::Units(units) => win32.nt_set_timer_resolution(units, false).map(drop),
        }
    }
}
