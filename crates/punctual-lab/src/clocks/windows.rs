//! Windows' clocks, on any implementation of its calls.

use crate::machine::{Clock, Counts, Reader};
use crate::waiters::windows::unavailable;
use punctual::Error;
use punctual::os::windows::{Win32Error, WindowsOs};
use punctual_windows::os::windows::Win32Lab;

const NANOS_PER_MILLISECOND: f64 = 1e6;
/// The unit of system time.
const NANOS_PER_UNIT: f64 = 100.0;

/// The performance counter, with which waits are measured, and then the others, oldest first.
pub fn all<W: Win32Lab>() -> Vec<Clock<WindowsOs<W>>> {
    vec![
        time("QueryPerformanceCounter", |os| {
            let win32 = os.win32().clone();
            let frequency = win32.query_performance_frequency() as f64;
            let read = move || win32.query_performance_counter().unsigned_abs();
            Ok(Reader::new(1e9 / frequency, read))
        }),
        time("GetTickCount", |os| {
            Ok(wrapping(os, Win32Lab::get_tick_count))
        }),
        time("timeGetTime", |os| {
            Ok(wrapping(os, Win32Lab::time_get_time))
        }),
        time("GetSystemTimeAsFileTime", |os| {
            let call = |win32: &W| Ok(win32.get_system_time_as_file_time().0);
            counter(os, "GetSystemTimeAsFileTime", NANOS_PER_UNIT, call)
        }),
        time("GetTickCount64", |os| {
            let call = Win32Lab::get_tick_count64;
            counter(os, "GetTickCount64", NANOS_PER_MILLISECOND, call)
        }),
        time("GetSystemTimePreciseAsFileTime", |os| {
            let call = |win32: &W| Ok(win32.get_system_time_precise_as_file_time()?.0);
            counter(os, "GetSystemTimePreciseAsFileTime", NANOS_PER_UNIT, call)
        }),
        time("QueryUnbiasedInterruptTime", |os| {
            let call = Win32Lab::query_unbiased_interrupt_time;
            counter(os, "QueryUnbiasedInterruptTime", NANOS_PER_UNIT, call)
        }),
        time("QueryInterruptTime", |os| {
            counter(
                os,
                "QueryInterruptTime",
                NANOS_PER_UNIT,
                Win32Lab::query_interrupt_time,
            )
        }),
        time("QueryInterruptTimePrecise", |os| {
            let call = Win32Lab::query_interrupt_time_precise;
            counter(os, "QueryInterruptTimePrecise", NANOS_PER_UNIT, call)
        }),
        time("QueryUnbiasedInterruptTimePrecise", |os| {
            let call = Win32Lab::query_unbiased_interrupt_time_precise;
            counter(
                os,
                "QueryUnbiasedInterruptTimePrecise",
                NANOS_PER_UNIT,
                call,
            )
        }),
    ]
}

/// A clock that counts units since the system's start. This Windows may lack it.
fn counter<W: Win32Lab>(
    os: &WindowsOs<W>,
    name: &'static str,
    unit_ns: f64,
    call: fn(&W) -> Result<u64, Win32Error>,
) -> Result<Reader, Error> {
    let win32 = os.win32().clone();
    call(&win32).map_err(unavailable(name))?;
    // A successful first reading means that later ones succeed.
    let read = move || call(&win32).unwrap_or_default();
    Ok(Reader::new(unit_ns, read))
}

fn time<M>(name: &'static str, make: fn(&M) -> Result<Reader, Error>) -> Clock<M> {
    Clock {
        name,
        counts: Counts::Time,
        make,
    }
}

/// A clock of milliseconds that wraps after 49.7 days.
fn wrapping<W: Win32Lab>(os: &WindowsOs<W>, read: fn(&W) -> u32) -> Reader {
    let win32 = os.win32().clone();
    let mut reader = Reader::new(NANOS_PER_MILLISECOND, move || read(&win32).into());
    reader.bits = u32::BITS;
    reader
}
