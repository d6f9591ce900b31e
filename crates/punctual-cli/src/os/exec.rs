//! Becoming another program, as Unix does it.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Runs another program in place of this one, which keeps the number of the process: signals go to the other, and a
/// service manager sees no difference. Returns only if that cannot be done.
pub fn become_program(program: &mut Command) -> io::Result<ExitCode> {
    Err(program.exec())
}
