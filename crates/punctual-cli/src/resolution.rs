//! `punctual resolution`: the timer interval, as it is, held, swept, and asked for by others.

mod hold;
mod now;
mod sweep;
mod who;

use crate::args::{MachineArgs, ResolutionAction, ResolutionArgs};
use crate::failure::Failure;
use crate::output;
use punctual_lab::resolution::recording::Origin;
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs the command.
pub fn resolution(args: &ResolutionArgs) -> Result<ExitCode, Failure> {
    match &args.action {
        None => now::now(&args.now),
        Some(ResolutionAction::Hold(args)) => hold::hold(args),
        Some(ResolutionAction::Sweep(args)) => sweep::sweep(args),
        Some(ResolutionAction::Who(args)) => who::who(args),
    }
}

/// The simulated machine that was asked for, with its company.
fn simulated(args: &MachineArgs) -> Option<SimulatedMachine> {
    let mut machine = args.on.clone()?;
    machine.companions = args.with.iter().copied().map(Into::into).collect();
    Some(machine)
}

/// Runs something on a simulated machine, once every program there has made its request.
fn run_on<T: Send + 'static>(
    machine: &SimulatedMachine,
    args: &MachineArgs,
    body: impl FnOnce(&SimulatedOs) -> T + Send + 'static,
) -> Result<T, Failure> {
    use punctual::os::windows::Win32Lab;
    /// Longer than any default interval, after which a request has taken effect.
    const SETTLING_MS: u32 = 100;
    let run = machine.run(args.seed, |os| {
        os.win32().sleep(SETTLING_MS);
        body(&os)
    });
    Ok(run.map_err(Failure::run)?.value)
}

fn origin(args: &MachineArgs) -> Origin {
    Origin {
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        on: args.on.as_ref().map(ToString::to_string),
        with: args.with.iter().map(ToString::to_string).collect(),
        seed: args.on.as_ref().map(|_| args.seed),
    }
}

/// Prints a recording as JSON, or as text by `show`.
fn print<T: Serialize>(
    json: bool,
    recording: &T,
    show: impl FnOnce(&mut dyn Write, &T) -> io::Result<()>,
) -> Result<(), Failure> {
    output::print(|out| {
        if json {
            serde_json::to_writer_pretty(&mut *out, recording)?;
            return writeln!(out);
        }
        show(out, recording)
    })
}
