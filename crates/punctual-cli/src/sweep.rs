//! `punctual sweep`: how a request, or timer slack, affects the sleeps of a process.

mod flags;
mod native;
mod show;
#[cfg(feature = "sim")]
mod simulated;
mod slacks;
mod windows;

pub use flags::{SweepArgs, words, words_about_slack};

#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_lab::{Machine, Native};
use std::process::ExitCode;

/// Runs the command.
pub fn sweep(args: &SweepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match (args.native, Native::HAS_INTERVAL) {
        (false, _) => simulated::sweep(args),
        (true, true) => windows::sweep(args, stop),
        (true, false) => native::sweep(args, stop),
    }
}
