//! Shell commands that run while something is recorded, and end with it.

use crate::failure::Failure;
use rustix::process::{Pid, Signal, kill_process_group};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// The running commands; they and all that they have started end when this is dropped.
pub struct Commands(Vec<(String, Child)>);

impl Commands {
    pub fn start(commands: &[String]) -> Result<Self, Failure> {
        let mut running = Self(Vec::new());
        for command in commands {
            let mut shell = Command::new("sh");
            // A group of its own: an interrupt at the terminal does not reach it.
            shell.args(["-c", command]).process_group(0);
            shell.stdin(Stdio::null()).stdout(Stdio::null());
            running.0.push((command.clone(), shell.spawn()?));
        }
        Ok(running)
    }

    /// Whether all are still running: else this is no recording under load.
    pub fn check(&mut self) -> Result<(), Failure> {
        for (command, shell) in &mut self.0 {
            if !matches!(shell.try_wait(), Ok(None)) {
                let what = format!("--load: {command:?} has ended; it must run until it is ended");
                return Err(what.into());
            }
        }
        Ok(())
    }
}

impl Drop for Commands {
    fn drop(&mut self) {
        for (_, shell) in &mut self.0 {
            // If all of the group have ended, the call only fails.
            let _ = kill_process_group(Pid::from_child(shell), Signal::KILL);
            // It has been killed; waiting leaves no zombie, and cannot fail for a child of ours.
            let _ = shell.wait();
        }
    }
}
