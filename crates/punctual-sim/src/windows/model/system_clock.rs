//! The clocks that programs read: the performance counter, and the system clock.

use super::waiting::Until;
use super::{WindowsKernel, WindowsModel};
use crate::random::nanos;
use punctual::Instant;
use punctual_windows::os::windows::SystemTime;
use std::time::Duration;

/// What the system clock shows when a machine starts: 1 January 2020, in units of 100 ns since
/// 1601. A choice of ours; nothing depends on it.
const START: u64 = 132_223_104_000_000_000;

/// Windows counts time in units of so many nanoseconds.
pub(crate) const NANOS_PER_UNIT: u64 = 100;

/// Whole units.
pub(crate) fn units(duration: Duration) -> u32 {
    u32::try_from(nanos(duration) / NANOS_PER_UNIT).unwrap_or(u32::MAX)
}

/// A due time as Windows' calls say it: units of 100 ns, negative from now on, otherwise a point of
/// the system clock.
pub(crate) fn due_time(units: i64) -> Until {
    let length = units.unsigned_abs();
    if units < 0 {
        Until::After(Duration::from_nanos(length.saturating_mul(NANOS_PER_UNIT)))
    } else {
        let since_start = length.saturating_sub(START);
        Until::At(Instant::from_nanos(
            since_start.saturating_mul(NANOS_PER_UNIT),
        ))
    }
}

impl WindowsModel {
    /// `QueryPerformanceCounter`: the one clock that errs, if the machine has one that does.
    pub(crate) fn performance_count(&self, kernel: &WindowsKernel) -> i64 {
        let error = self.timer.parameters().clock_error;
        let nanos = error.reading_after(kernel.now().as_nanos());
        self.generation.count_after(nanos).cast_signed()
    }

    /// `GetSystemTimeAsFileTime`: as of the last tick.
    pub(crate) fn system_time(&self, kernel: &WindowsKernel) -> SystemTime {
        system_time_at(self.timer.clock().last_tick(kernel.now()))
    }

    /// `GetSystemTimePreciseAsFileTime`.
    pub(crate) fn precise_system_time(kernel: &WindowsKernel) -> SystemTime {
        system_time_at(kernel.now())
    }

    /// `QueryInterruptTime`: units of 100 ns since the machine started, as of the last tick.
    pub(crate) fn interrupt_time(&self, kernel: &WindowsKernel) -> u64 {
        self.timer.clock().last_tick(kernel.now()).as_nanos() / NANOS_PER_UNIT
    }

    /// `QueryInterruptTimePrecise`.
    pub(crate) fn precise_interrupt_time(kernel: &WindowsKernel) -> u64 {
        kernel.now().as_nanos() / NANOS_PER_UNIT
    }
}

fn system_time_at(instant: Instant) -> SystemTime {
    SystemTime(START + instant.as_nanos() / NANOS_PER_UNIT)
}
