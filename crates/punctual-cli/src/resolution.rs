//! `punctual resolution`: shows the timer interval, holds a request, sweeps requests, and lists
//! requesters.

mod flags;
mod hold;
mod now;
mod show;
#[cfg(feature = "sim")]
mod simulated;
mod sweep;
mod who;

pub use flags::{ResolutionAction, ResolutionArgs, words};

use flags::MachineArgs;
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::text::Text;
use punctual_lab::resolution::recording::Origin;
use serde::Serialize;
use std::io;
use std::process::ExitCode;

/// Runs the command.
pub fn resolution(args: &ResolutionArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match &args.action {
        None => now::now(&args.now),
        Some(ResolutionAction::Hold(args)) => hold::hold(args, stop),
        Some(ResolutionAction::Sweep(args)) => sweep::sweep(args, stop),
        Some(ResolutionAction::Who(args)) => who::who(args, stop),
    }
}

fn origin(args: &MachineArgs) -> Origin {
    Origin {
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        on: args.on.simulated(),
        with: args.with.clone(),
    }
}

/// Prints a recording as JSON, or as text by `show`.
fn print<T: Serialize>(
    json: bool,
    recording: &T,
    show: impl FnOnce(&mut Text, &T) -> io::Result<()>,
) -> Result<(), Failure> {
    match json {
        true => output::json(recording),
        false => output::print(|out| show(out, recording)),
    }
}
