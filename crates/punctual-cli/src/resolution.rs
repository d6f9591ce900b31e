//! `punctual resolution`: shows the timer interval, holds a request, and lists requesters.

mod flags;
mod now;
mod show;
#[cfg(feature = "sim")]
mod simulated;
mod who;

pub use flags::{ResolutionAction, ResolutionArgs};

use crate::os;
use flags::{HoldArgs, MachineArgs};
use punctual::os::windows::WindowsOs;
use punctual_command::failure::{Failure, on_stderr};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::escape;
use punctual_data::text::Text;
use punctual_lab::resolution::{self, OnWindows, Origin};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::resolution::{Held, InForce};
use serde::Serialize;
use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitCode};
use std::sync::mpsc;

/// Runs the command.
pub fn resolution(args: &ResolutionArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match &args.action {
        None => now::now(&args.now),
        Some(ResolutionAction::Hold(args)) => hold(args, stop),
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

// `punctual resolution hold`: holds a request, until Ctrl-C or while a command runs.

fn hold(args: &HoldArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let ended = resolution::native(Hold { args, stop });
    let status = ended.map_err(|error| {
        Failure::flag(
            "INTERVAL",
            format!("nothing to hold: {error}. {}", os::INSTEAD_OF_AN_INTERVAL),
        )
    })??;
    match status {
        None => Ok(ExitCode::SUCCESS),
        // The request has ended by now.
        Some(status) => std::process::exit(status),
    }
}

struct Hold<'a> {
    args: &'a HoldArgs,
    stop: &'a Stop,
}

impl OnWindows for Hold<'_> {
    /// The command's exit status, if there was one.
    type Output = Result<Option<i32>, Failure>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        // The command gets Ctrl-C itself, and we end with it. Without a command, Ctrl-C ends the
        // request.
        let (asks, asked) = mpsc::channel();
        let guard = self.stop.guard();
        if !self.args.command.is_empty() {
            guard.pass_on(|_| ());
        }
        self.stop.then(move || {
            // Nothing receives it while a command runs.
            let _ = asks.send(());
        });
        let held = Held::ask(os, self.args.interval).map_err(Failure::run)?;
        let in_force = held.in_force().map_err(Failure::run)?;
        let [program, arguments @ ..] = &self.args.command[..] else {
            say(&in_force)?;
            // Only a signal sends, and the sender lives as long as the program.
            let _ = asked.recv();
            return Ok(None);
        };
        // Standard output belongs to the command.
        on_stderr(|out| show::held(out, &in_force, true));
        run(program, arguments).map(Some)
    }
}

fn say(in_force: &InForce) -> Result<(), Failure> {
    output::print(|out| show::held(out, in_force, false))
}

fn run(program: &OsString, arguments: &[OsString]) -> Result<i32, Failure> {
    /// The status of a command that was killed and so has none.
    const KILLED: i32 = 1;
    let status = Command::new(program).args(arguments).status();
    let status = status.map_err(|error| {
        let program = escape::os(program);
        Failure::flag("COMMAND", format!("cannot run '{program}': {error}"))
    })?;
    Ok(status.code().unwrap_or(KILLED))
}
