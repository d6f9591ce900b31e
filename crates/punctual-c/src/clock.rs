//! The clock.

use crate::handle::NotNull;
use crate::status::{Failure, PUNCTUAL_OK, Status, border};
use punctual::Native;
use std::sync::OnceLock;
use std::time::Duration;

/// The machine this program runs on.
pub fn machine() -> Result<&'static Native, Failure> {
    static MACHINE: OnceLock<Native> = OnceLock::new();
    if let Some(machine) = MACHINE.get() {
        return Ok(machine);
    }
    let machine = Native::detect()?;
    Ok(MACHINE.get_or_init(|| machine))
}

/// A duration in nanoseconds. Those of the library are between two instants, so that 64 bits are
/// enough: the 128 of `Duration::as_nanos` would take time between a deadline and the caller's
/// work.
pub fn nanos(duration: Duration) -> u64 {
    duration.as_secs() * 1_000_000_000 + u64::from(duration.subsec_nanos())
}

/// Reads the clock that all deadlines are on, in nanoseconds. It never goes back and nothing can set
/// it.
///
/// On Linux it is `CLOCK_MONOTONIC`, on Windows the performance counter, and on macOS
/// `mach_absolute_time`, both converted to nanoseconds.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_now(now_ns: *mut u64) -> Status {
    border(|| {
        let place = NotNull::new(now_ns, "now_ns")?;
        place.write(machine()?.now().as_nanos());
        Ok(PUNCTUAL_OK)
    })
}
