//! Becoming another program where the system has no call for it.

use punctual_command::stop::Stop;
use std::io;
use std::process::{Command, ExitCode, exit};

/// Runs another program, and ends with its status. It ends with this process. A console tells both of Ctrl-C, and
/// this process waits until the other has ended.
pub fn become_program(program: &mut Command) -> io::Result<ExitCode> {
    // Without a group, it goes on if this process is killed.
    let _ = punctual_lab::child::lead_own_group();
    let mut running = program.spawn()?;
    let guard = Stop::listen().map(|stop| stop.guard());
    if let Ok(guard) = &guard {
        guard.pass_on(|_| ());
    }
    exit(running.wait()?.code().unwrap_or(1))
}
