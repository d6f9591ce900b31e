//! The time between Windows' timer interrupts, which [`punctual_windows::resolution`] observes and requests: on the
//! Windows that this program runs on ([`native`]), and on a simulated one.

pub mod recording;

pub use crate::machine::OnWindows;
pub use crate::os::on_windows as native;

use crate::conditions::{Standing, Throttling, standing};
use crate::machine::Tuning;
use punctual::Error;
#[cfg(feature = "sim")]
use punctual::os::windows::Win32;
use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::resolution::Held;
#[cfg(feature = "sim")]
use punctual_windows::{NANOS_PER_UNIT, requesters::Requesters};
#[cfg(feature = "sim")]
use std::time::Duration;

/// The programs and drivers that have requested a timer interval on the simulated machine that this program runs on,
/// without this program.
#[cfg(feature = "sim")]
pub fn of_simulated(win32: &punctual_sim::windows::SimWin32) -> Requesters {
    let now = win32.nt_query_timer_resolution().ok();
    let maximum = now.map(|now| Duration::from_nanos(u64::from(now.maximum_time) * NANOS_PER_UNIT));
    let name = |number| win32.process_name(number);
    Requesters::of_view(&win32.powercfg(), win32.number(), maximum, name)
}

impl<W: Win32Lab> Tuning for Held<W> {}

// This process's standing with the Windows that it runs on.

/// Makes this process stand so, until it ends. Call it before
/// [`Native::detect`](crate::Native::detect): a machine remembers what it finds, and puts that back
/// after its own requests.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) if this is not Windows 11, or if the process is to be hidden.
pub fn assume(standing: Standing) -> Result<(), Error> {
    if standing.hidden {
        return Err(standing::not_hidden());
    }
    match standing.throttling {
        None => Ok(()),
        Some(throttling) => native(Tell(throttling))?,
    }
}

struct Tell(Throttling);

impl OnWindows for Tell {
    type Output = Result<(), Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        self.0.tell(os.win32())
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests;
