//! The time between Windows' timer interrupts: what it is, how to request another, which request is
//! best, and which programs have requested one.
//!
//! Everything here is written once for every Windows, real or simulated. [`native`] gives it the
//! Windows that this program runs on, if there is one.
//!
//! | what | by |
//! |---|---|
//! | the interval over time | [`observe()`] |
//! | a request of one's own | [`Held`] |
//! | which request is best | [`sweep`] |
//! | whether requests count | [`assume`] |
//! | who has requested one | [`Requesters`], simulated or from a [report](Requesters::of_report) |

mod held;
mod observe;
pub mod recording;
mod requesters;
mod standing;
pub mod sweep;

pub use crate::machine::OnWindows;
pub use crate::os::on_windows as native;
pub use held::{Held, InForce};
pub use observe::{Observed, Share, observe};
pub use requesters::{NotAReport, Requested, Requesters, Who};
pub use standing::assume;

use punctual::os::windows::Win32Error;

/// The error message for a failed query.
fn unanswered(error: Win32Error) -> punctual::Error {
    punctual::Error::system(format!("cannot query the timer interval ({error})"))
}
