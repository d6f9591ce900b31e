//! A process and all that it starts, ended together.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// A running process group; it is killed when this is dropped.
pub struct Group(Child);

impl Group {
    /// Starts a process in a group of its own: an interrupt at the terminal does not reach it.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        command.process_group(0).spawn().map(Self)
    }

    /// Whether the process that was started has ended.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let group = self.0.id().cast_signed();
        // SAFETY: no pointers. The child has not been waited for, or others of its group may still
        // run, so the number is the group's; if all have ended, the call only fails.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        // It has been killed; waiting leaves no zombie, and cannot fail for a child of ours.
        let _ = self.0.wait();
    }
}
