//! The time between Windows' timer interrupts: what it is, how to request another, and which programs have
//! requested one.
//!
//! Everything here is written once for every Windows, real or simulated. [`native`] gives it the
//! Windows that this program runs on, if there is one.
//!
//! | what | by |
//! |---|---|
//! | the interval over time | [`observe()`] |
//! | a request of one's own | [`Held`] |
//! | whether requests count | [`assume`] |
//! | who has requested one on a simulated machine | `of_simulated` |

mod held;
mod observe;
pub mod recording;
#[cfg(feature = "sim")]
mod requesters;

pub use crate::machine::OnWindows;
pub use crate::os::on_windows as native;
pub use held::{Held, InForce};
pub use observe::{Observed, Share, observe};
#[cfg(feature = "sim")]
pub use requesters::of_simulated;

use crate::conditions::{Standing, Throttling, standing};
use punctual::Error;
use punctual::os::windows::{Win32Error, WindowsOs};
use punctual_windows::os::windows::Win32Lab;

/// The error message for a failed query.
fn unanswered(error: Win32Error) -> punctual::Error {
    punctual::Error::system(format!("cannot query the timer interval ({error})"))
}

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
        standing::tell(self.0, os.win32())
    }
}
