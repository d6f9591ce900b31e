//! The spacing of Windows' timer interrupts: what it is, asking for another, which request suits
//! best, and who has asked.
//!
//! Everything here is written once for every Windows, real or simulated. [`native`] hands it the
//! one this program runs on, where there is one.
//!
//! | what | by |
//! |---|---|
//! | the interval over a while | [`observe()`] |
//! | a request of one's own | [`Held`] |
//! | which request suits best | [`sweep`] |
//! | who has asked | [`Requesters`], from a simulated machine or a [report](Requesters::of_report) |

mod energy_report;
mod held;
mod observe;
pub mod recording;
mod requesters;
pub mod sweep;

pub use crate::machine::OnWindows;
pub use crate::os::on_windows as native;
pub use energy_report::NotAReport;
pub use held::{Held, InForce};
pub use observe::{Observed, Share, observe};
pub use requesters::{Requested, Requesters, Who};

use punctual::os::windows::Win32Error;

/// For people: which question had no answer.
fn unanswered(error: Win32Error) -> punctual::Error {
    punctual::Error::system(format!(
        "Windows does not tell the timer interval ({error})"
    ))
}
