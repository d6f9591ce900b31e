//! Windows.

#![allow(unsafe_code, reason = "system calls")]

#[path = "../other/no_quota.rs"]
mod no_quota;

use crate::disturbances::Clocks;
use crate::readings::Reading;
use punctual::Error;
use punctual::os::Scheduling;
use punctual::os::windows::Win32;
use punctual_lab::Native;
use punctual_lab::environment::ProcessorSet;
use punctual_windows::os::windows::Win32Lab;
use std::time::{Duration, SystemTime};
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};

pub(crate) use no_quota::OwnQuota;

/// The unit of Windows' times.
const NANOS_PER_UNIT: u64 = 100;

/// Those that are online.
pub(crate) fn possible_processors() -> Option<ProcessorSet> {
    None
}

/// Keeps the calling thread on this processor.
///
/// # Errors
/// If this process may not use it.
pub(crate) fn pin(processor: usize) -> Result<(), Error> {
    Native::detect()?.pin(&[processor]).map(|_| ())
}

/// The number of the calling thread.
pub(crate) fn this_thread() -> u32 {
    Native::detect().map_or(0, |os| os.win32().get_current_thread_id())
}

/// All clocks at one moment. The two that tell suspension apart move with the tick.
pub(crate) fn clocks() -> Clocks {
    let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let wall = wall.unwrap_or_default().as_nanos();
    let units = Native::detect().ok().and_then(|os| {
        let awake = os.win32().query_unbiased_interrupt_time().ok()?;
        Some((awake, os.win32().query_interrupt_time().unwrap_or(awake)))
    });
    // Before Windows 7 suspension is not known.
    let (awake, boot) = units.unwrap_or_default();
    Clocks {
        awake_ns: awake.saturating_mul(NANOS_PER_UNIT),
        boot_ns: boot.saturating_mul(NANOS_PER_UNIT),
        wall_ns: u64::try_from(wall).unwrap_or(u64::MAX),
    }
}

/// The processor time of all threads of this process.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getprocesstimes>
pub(crate) fn process_time() -> Duration {
    let mut times = [FILETIME::default(); 4];
    let [created, exited, kernel, user] = &mut times;
    // SAFETY: no pointers.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: all four are valid for writing. The call cannot fail for the calling process.
    unsafe { GetProcessTimes(process, created, exited, kernel, user) };
    let units =
        |time: &FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    Duration::from_nanos((units(&times[2]) + units(&times[3])) * NANOS_PER_UNIT)
}

/// The timer interval in force.
#[expect(clippy::cast_precision_loss, reason = "milliseconds")]
pub(crate) fn numbers(_: &[usize]) -> Vec<Reading> {
    let os = Native::detect().ok();
    let found = os.and_then(|os| os.win32().nt_query_timer_resolution().ok());
    let numbers = found.map(|found| {
        let nanos = u64::from(found.current_time) * NANOS_PER_UNIT;
        let help = "The time between two interrupts of the timer, which end waits";
        Reading {
            rises: false,
            ..Reading::seconds("timer_interval", help, Vec::new(), nanos as f64 / 1e9)
        }
    });
    numbers.into_iter().collect()
}

/// There is one, which cannot change.
pub(crate) fn clock_source() -> Option<String> {
    Some("QueryPerformanceCounter".to_owned())
}

/// Nothing but what the laboratory asks for.
pub(crate) fn own_facts() -> Vec<(&'static str, String)> {
    Vec::new()
}
