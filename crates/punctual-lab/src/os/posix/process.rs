//! Processes that end together: process groups.

use punctual::Error;
use rustix::process::{
    Pid, Signal, getpgrp, getpid, kill_current_process_group, kill_process_group, setpgid,
};
use std::os::unix::process::CommandExt;
use std::process::{self, Child, Command};

/// Gives a process, before it starts, a group of its own. A terminal's Ctrl-C then does not end it
/// before us.
pub(crate) fn start_in_own_group(command: &mut Command) {
    /// <https://man7.org/linux/man-pages/man2/setpgid.2.html>: the new process's own number.
    const OWN: i32 = 0;
    command.process_group(OWN);
}

/// Ends a process that was started in a group of its own, and the whole group. The process must not
/// have been waited for: until then no other process can get its id.
pub(crate) fn kill_group(leader: &mut Child) {
    // The id is the child's until it has been waited for. For a group that has ended the call
    // fails, which does no harm.
    let _ = kill_process_group(Pid::from_child(leader), Signal::KILL);
}

/// Makes this process the leader of a group of its own, if it is not one yet.
///
/// # Errors
/// If the system refuses. For this request it does not.
pub(crate) fn lead_own_group() -> Result<(), Error> {
    if getpgrp() == getpid() {
        return Ok(());
    }
    // Of this process, with its own id.
    setpgid(None, None)
        .map_err(|error| Error::system(format!("cannot make a process group: {error}")))
}

/// Ends every process of this process's group, and itself. Only for the group's leader: another
/// group may contain the program that started us.
pub(crate) fn end_own_group() -> ! {
    let _ = kill_current_process_group(Signal::KILL);
    // Not reached: no process survives that signal.
    process::abort()
}

/// A shell that runs this text.
///
/// # Errors
/// None.
pub(crate) fn shell(text: &str) -> Result<Command, Error> {
    let mut shell = Command::new("sh");
    shell.args(["-c", text]);
    Ok(shell)
}
