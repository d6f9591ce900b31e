//! Processes that end together: process groups.

use punctual::Error;
use rustix::process::{
    Pid, Signal, getpgrp, getpid, kill_current_process_group, kill_process_group, setpgid,
};
use std::os::unix::process::CommandExt;
use std::process::{self, Child, Command};

/// Gives a process that is yet to start a group of its own, so that a terminal's Ctrl-C does not
/// end it before us.
pub(crate) fn start_in_own_group(command: &mut Command) {
    /// <https://man7.org/linux/man-pages/man2/setpgid.2.html>: the new process's own number.
    const OWN: i32 = 0;
    command.process_group(OWN);
}

/// Ends a process that was started in a group of its own, and all of the group. The process must
/// not have been waited for: until then nobody else can have its number.
pub(crate) fn kill_group(leader: &mut Child) {
    // The number is the child's as long as it has not been waited for. A group that has ended
    // refuses, and that is what was wanted.
    let _ = kill_process_group(Pid::from_child(leader), Signal::KILL);
}

/// Makes this process the leader of a group of its own, if it is not.
///
/// # Errors
/// When the system refuses, which it does to nobody who asks for this.
pub(crate) fn lead_own_group() -> Result<(), Error> {
    if getpgrp() == getpid() {
        return Ok(());
    }
    // Of this process, with its own number.
    setpgid(None, None)
        .map_err(|error| Error::system(format!("cannot make a process group: {error}")))
}

/// Ends every process of this process's group, itself among them. Only for its leader: the group
/// of another may hold whoever started us.
pub(crate) fn end_own_group() -> ! {
    let _ = kill_current_process_group(Signal::KILL);
    // Not reached: nobody survives that signal.
    process::abort()
}

/// A shell that is given this text.
pub(crate) fn shell(text: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", text]);
    shell
}
