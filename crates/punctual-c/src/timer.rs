//! The handle of one callback.

use crate::handle::{self, Opaque};
use crate::options;
use crate::sleeper::window;
use crate::status::{PUNCTUAL_OK, PUNCTUAL_TOO_LATE, PUNCTUAL_UNDER_WAY, Status, border};
use punctual::Cancellation;

/// One callback of a driver, to cancel or to move it.
///
/// Threads: any number of threads may use it at once, and so may callbacks. It may outlive its
/// driver. Freeing it changes nothing about the callback.
pub struct Timer {
    _opaque: [u8; 0],
}

impl Opaque for Timer {
    type Inside = punctual::driver::Timer;
    const WORD: u32 = u32::from_le_bytes(*b"Time") & !1;
    const NAME: &'static str = "timer";
}

/// Cancels the callback, so that it is not called again. Does not wait for a running one.
///
/// Returns `PUNCTUAL_OK` if a call was prevented, `PUNCTUAL_UNDER_WAY` if the callback is running,
/// and `PUNCTUAL_TOO_LATE` if there was none to come.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_timer_cancel(timer: *const Timer) -> Status {
    border(|| {
        Ok(match handle::shared(timer)?.cancel() {
            Cancellation::Prevented => PUNCTUAL_OK,
            Cancellation::UnderWay => PUNCTUAL_UNDER_WAY,
            _ => PUNCTUAL_TOO_LATE,
        })
    })
}

/// Moves the callback to another window. A repeating one starts again at its beginning, with the
/// width of the window as its tolerance, and its numbering continues.
///
/// Returns `PUNCTUAL_TOO_LATE` if there was no call to come.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_timer_move(
    timer: *const Timer,
    earliest_ns: u64,
    latest_ns: u64,
) -> Status {
    border(|| {
        let timer = handle::shared(timer)?;
        let is_to_come = timer.reschedule(window(earliest_ns, latest_ns)?);
        Ok(to_come(is_to_come))
    })
}

/// Changes the period of a repeating callback to `period_ns / divisor` from now on, without a jump
/// of the phase. A divisor of zero means 1.
///
/// Returns `PUNCTUAL_TOO_LATE` if there was no call to come, or if it does not repeat.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_timer_set_period(
    timer: *const Timer,
    period_ns: u64,
    divisor: u64,
) -> Status {
    border(|| {
        let timer = handle::shared(timer)?;
        let is_to_come = timer.set_period(options::period(period_ns, divisor)?);
        Ok(to_come(is_to_come))
    })
}

/// Frees the handle. The callback is called as before. Null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_timer_free(timer: *mut Timer) -> Status {
    border(|| handle::free(timer))
}

fn to_come(is_to_come: bool) -> Status {
    if is_to_come {
        PUNCTUAL_OK
    } else {
        PUNCTUAL_TOO_LATE
    }
}
