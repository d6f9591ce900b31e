//! Clocks, as a measuring program reads them.

use crate::Wake;
use punctual::Instant;
use punctual::os::windows::Win32;
use punctual_sim::windows::SimWin32;
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

const NANOS_PER_UNIT: u64 = 100;

pub(super) fn now(win32: &SimWin32) -> Instant {
    const NANOS_PER_SECOND: u128 = 1_000_000_000;
    let count = u128::from(win32.query_performance_counter().unsigned_abs());
    let frequency = u128::from(win32.query_performance_frequency().unsigned_abs());
    let nanos = count * NANOS_PER_SECOND / frequency;
    Instant::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

/// Notes a wake-up.
pub(super) fn note(win32: &SimWin32, began: Instant) -> Wake {
    let at = now(win32);
    Wake {
        began,
        at,
        reading: u64::from(win32.time_get_time()),
    }
}

/// Five seconds of ticks, by the system clock that they move, and `timeGetTime` at each.
pub(super) fn watch(win32: &SimWin32) -> (Vec<Instant>, Vec<u64>) {
    const STEP: Duration = Duration::from_micros(20);
    let end = now(win32) + Duration::from_secs(5);
    let (mut ticks, mut readings) = (Vec::new(), Vec::new());
    let mut last = win32.get_system_time_as_file_time();
    let start = last;
    while now(win32) < end {
        win32.compute(STEP);
        let time = win32.get_system_time_as_file_time();
        if time != last {
            ticks.push(Instant::from_nanos((time.0 - start.0) * NANOS_PER_UNIT));
            readings.push(u64::from(win32.time_get_time()));
            last = time;
        }
    }
    (ticks, readings)
}
