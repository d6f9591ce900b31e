//! Processors that are kept from idling, by processes that run only where nothing else does.

use crate::failure::Failure;
use crate::machine::processors;
use crate::os::waits;
use crate::waiting::load;
use std::collections::BTreeSet;
use std::env;
use std::process::{Child, Command, Stdio};

/// The hidden subcommand that such a process runs.
pub const SUBCOMMAND: &str = "keep-awake";

/// They end when this is dropped, and when this process ends however it does.
pub struct Awake(Vec<Child>);

impl Awake {
    /// All processors but some.
    pub fn keep(others: &BTreeSet<usize>) -> Result<Self, Failure> {
        let mut awake = Self(Vec::new());
        for processor in (0..processors()).filter(|processor| !others.contains(processor)) {
            let mut command = Command::new(env::current_exe()?);
            command.args([SUBCOMMAND, &processor.to_string()]);
            awake.0.push(command.stdin(Stdio::piped()).spawn()?);
        }
        Ok(awake)
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        for child in &mut self.0 {
            drop(child.stdin.take());
            // It ends by itself; waiting leaves no zombie, and cannot fail for a child of ours.
            let _ = child.wait();
        }
    }
}

/// What such a process does.
pub fn keep_awake(processor: usize) -> Result<(), Failure> {
    waits::name_thread("awake");
    waits::stay_on(processor);
    waits::become_idle()?;
    load::spin_until_input_ends()
}
