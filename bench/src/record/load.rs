//! Shell commands that run while something is recorded, and end with it.

use crate::failure::Failure;
use crate::os::Group;
use std::process::{Command, Stdio};

/// The running commands; they and all that they have started end when this is dropped.
pub struct Commands(Vec<(String, Group)>);

impl Commands {
    pub fn start(commands: &[String]) -> Result<Self, Failure> {
        let mut running = Self(Vec::new());
        for command in commands {
            let mut shell = Command::new("sh");
            shell
                .args(["-c", command])
                .stdin(Stdio::null())
                .stdout(Stdio::null());
            running.0.push((command.clone(), Group::start(&mut shell)?));
        }
        Ok(running)
    }

    /// Whether all are still running: else this is no recording under load.
    pub fn check(&mut self) -> Result<(), Failure> {
        let mut running = self.0.iter_mut();
        match running.find_map(|(command, group)| group.has_ended().then_some(command)) {
            None => Ok(()),
            Some(command) => {
                Err(format!("--load: {command:?} has ended; it must run until it is ended").into())
            }
        }
    }
}
