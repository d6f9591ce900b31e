//! The time between Windows' timer interrupts, which [`punctual_windows::resolution`] observes and requests: on the
//! Windows that this program runs on ([`native`]), and on a simulated one.

pub use crate::machine::OnWindows;
pub use crate::os::on_windows as native;

use crate::Environment;
use crate::conditions::{Companion, Standing, Throttling};
use crate::confidence::Confidence;
use crate::machine::Tuning;
use crate::question::Simulated;
use punctual::Error;
#[cfg(feature = "sim")]
use punctual::os::windows::Win32;
use punctual::os::windows::WindowsOs;
#[cfg(feature = "sim")]
use punctual_windows::NANOS_PER_UNIT;
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::requesters::Requesters;
use punctual_windows::resolution::{Held, Observed};
use serde::{Deserialize, Serialize};
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
        return Err(crate::conditions::not_hidden());
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

/// Where something was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of Punctual that found it.
    pub punctual_version: String,
    /// The simulated machine; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
    /// The companions.
    pub with: Vec<Companion>,
}

/// The timer interval of a machine, or the facts that matter on a system without one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Now {
    /// [`Now::SCHEMA`].
    pub schema: String,
    /// Where it was found.
    #[serde(flatten)]
    pub origin: Origin,
    /// The machine. Clock sources, tick rate and timer slack are among the facts.
    pub environment: Environment,
    /// The interval; `None` if timers do not wait for ticks.
    pub interval: Option<Observed>,
    /// The requesters; `None` if the system tells them only in a report that must be requested.
    pub requesters: Option<Requesters>,
    /// How far the interval can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl Now {
    /// The schema that this version writes.
    pub const SCHEMA: &str = "punctual.resolution/4";
}

/// The programs that have requested a timer interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// [`Asked::SCHEMA`].
    pub schema: String,
    /// Where it was found.
    #[serde(flatten)]
    pub origin: Origin,
    /// The report that was read, if one was given.
    pub report: Option<String>,
    /// The requesters.
    #[serde(flatten)]
    pub requesters: Requesters,
}

impl Asked {
    /// The schema that this version writes: a part of what [`Now`] tells.
    pub const SCHEMA: &str = Now::SCHEMA;
}
