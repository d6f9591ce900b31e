//! Windows' own ways of waiting, on any implementation of its calls.

mod callbacks;
mod messages;
mod multimedia;
pub(crate) mod objects;
mod requested;
mod sleeping;
mod waitable;

pub use requested::{request_delay, requested};

use crate::machine::{Make, Offer};
use punctual::Error;
use punctual::Period;
use punctual::os::windows::{Win32Error, WindowsOs};
use punctual_windows::mechanisms::Mechanism;
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// All methods: those that sleep, waitable timers, and timers with callbacks or messages.
pub fn all<W: Win32Lab>() -> Vec<Offer<WindowsOs<W>>> {
    vec![
        sleeping::sleep(),
        sleeping::wait_for_single_object(),
        sleeping::nt_delay_execution(),
        waitable::relative(),
        waitable::absolute(),
        waitable::periodic(),
        waitable::relative_high_resolution(),
        waitable::absolute_high_resolution(),
        waitable::periodic_high_resolution(),
        multimedia::high_resolution(),
        callbacks::timer_queue(),
        callbacks::pool_timer(),
        callbacks::time_set_event(),
        messages::set_timer(),
    ]
}

/// Methods that differ when a loop keeps its beat with them.
pub fn for_loops<W: Win32Lab>() -> [Offer<WindowsOs<W>>; 4] {
    [
        waitable::on_time_base(),
        waitable::on_time_base_high_resolution(),
        callbacks::counted_timer_queue(),
        callbacks::counted_time_set_event(),
    ]
}

/// A mechanism as a method. Windows' threads have no slack that could delay it.
pub(crate) fn offer<W: Win32Lab>(
    mechanism: Mechanism,
    make: Make<WindowsOs<W>>,
) -> Offer<WindowsOs<W>> {
    Offer {
        name: mechanism.name,
        summary: mechanism.summary,
        slack_applies: false,
        make,
    }
}

/// A duration in whole milliseconds, rounded up, for waits that must not end early.
pub(crate) fn milliseconds(duration: Duration) -> u32 {
    const NANOS_PER_MILLISECOND: u128 = 1_000_000;
    u32::try_from(duration.as_nanos().div_ceil(NANOS_PER_MILLISECOND)).unwrap_or(u32::MAX - 1)
}

/// A duration in units of 100 ns, rounded up.
pub(crate) fn units(duration: Duration) -> i64 {
    const NANOS_PER_UNIT: u128 = 100;
    i64::try_from(duration.as_nanos().div_ceil(NANOS_PER_UNIT)).unwrap_or(i64::MAX)
}

/// The period of a timer that counts whole milliseconds.
fn whole_milliseconds(period: Period) -> Result<u32, Error> {
    let count = period.to_duration().as_millis();
    let is_period = |count| Period::try_from(Duration::from_millis(u64::from(count)));
    let count = u32::try_from(count)
        .ok()
        .filter(|&count| is_period(count).is_ok_and(|whole| whole == period));
    count.ok_or_else(|| Error::unsupported("its period must be a whole number of milliseconds"))
}

/// Why a method is unavailable.
pub(crate) fn unavailable(call: &'static str) -> impl Fn(Win32Error) -> Error {
    move |error| match error {
        Win32Error::PROC_NOT_FOUND => Error::unsupported(format!("this Windows has no {call}")),
        Win32Error::INVALID_PARAMETER => {
            Error::unsupported(format!("this Windows does not know {call}"))
        }
        error => Error::system(format!("{call} failed: {error}")),
    }
}
