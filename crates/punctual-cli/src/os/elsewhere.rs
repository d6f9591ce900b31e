//! Systems that do not tell these facts, or whose way to tell them was never tried.

use punctual_command::stop::Signal;
use std::path::PathBuf;
use std::process::ExitStatus;

/// The advice where there is no timer interval to hold: Windows has one, so this is about macOS.
pub const INSTEAD_OF_AN_INTERVAL: &str = "Its timers are delayed by their leeway, which each timer is \
    given. Punctual's waits ask for none";

/// The calling thread's id.
pub fn own_thread() -> Option<u32> {
    None
}

/// The threads of a process, with their names.
pub fn threads_of(_: u32) -> Vec<(u32, String)> {
    Vec::new()
}

/// The file of a process' program: none is known.
pub fn program_of(_: u32) -> PathBuf {
    PathBuf::new()
}

/// Whether there is a process with this id.
pub fn is_alive(_: u32) -> bool {
    false
}

/// How often a processor was taken from a thread of this process while it needed it.
pub fn involuntary_switches(_: u32) -> Option<u64> {
    None
}

/// Time in which the hypervisor ran other machines on our processors, summed over all of them.
pub fn steal_ns() -> Option<u64> {
    None
}

/// What this process has started: nothing, because no command is explained here.
#[derive(Debug, Clone, Copy)]
pub struct Family;

impl Family {
    pub fn to_come() -> Self {
        Self
    }

    pub fn signal(self, _: Signal) {}

    pub fn kill(self) {}

    pub fn lives(self) -> bool {
        false
    }
}

/// The number of the signal that ended a process.
pub fn killed_by(_: ExitStatus) -> Option<i32> {
    None
}
