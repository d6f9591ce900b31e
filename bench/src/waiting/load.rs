//! What else the machine does while it is measured: child processes that spin, build, copy, send and browse.

mod browse;
mod compile;
mod memory;
mod network;
mod work;

use crate::failure::Failure;
use crate::machine::processors;
use clap::ValueEnum;
use serde::Serialize;
use std::env;
use std::fmt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

pub use compile::SUBCOMMAND as UNIT_SUBCOMMAND;
pub use compile::compile_unit;
pub use work::{SUBCOMMAND, Work, spin_until_input_ends};

/// What else the machine does while it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Load {
    /// Nothing that we know of.
    Idle,
    /// One computing process for each processor, which never waits.
    Busy,
    /// Two of them for each processor.
    Crowded,
    /// For each processor, short processes one after the other, as a build starts them.
    Compile,
    /// For each processor, a process that copies more memory than the caches hold.
    Memory,
    /// For each processor, two threads that send and receive over the loopback interface.
    Network,
    /// A browser, and a build on half of the processors.
    Mixed,
}

impl Load {
    fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Busy => "busy",
            Self::Crowded => "crowded",
            Self::Compile => "compile",
            Self::Memory => "memory",
            Self::Network => "network",
            Self::Mixed => "mixed",
        }
    }

    /// What each of its processes does.
    fn works(self) -> Vec<Work> {
        let each = |work, count| vec![work; count];
        match self {
            Self::Idle => Vec::new(),
            Self::Busy => each(Work::Spin, processors()),
            Self::Crowded => each(Work::Spin, 2 * processors()),
            Self::Compile => each(Work::Compile, processors()),
            Self::Memory => each(Work::Memory, processors()),
            Self::Network => each(Work::Network, processors()),
            Self::Mixed => {
                let mut works = each(Work::Compile, processors().div_ceil(2));
                works.push(Work::Browse);
                works
            }
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The scheduler spreads new processes over the processors within a few of its ticks (4 ms at
/// 250 Hz), and the largest of them fills its memory within a tenth of a second.
const SETTLE: Duration = Duration::from_millis(300);

/// The running children; they end when this is dropped, and when this process ends however it does.
pub struct Children(Vec<Child>);

impl Load {
    pub fn start(self) -> Result<Children, Failure> {
        let mut children = Children(Vec::new());
        let executable = env::current_exe()?;
        for work in self.works() {
            let child = Command::new(&executable)
                .args([SUBCOMMAND, work.name()])
                .stdin(Stdio::piped())
                .spawn()?;
            children.0.push(child);
        }
        if !children.0.is_empty() {
            thread::sleep(SETTLE);
        }
        Ok(children)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            drop(child.stdin.take());
        }
        for child in &mut self.0 {
            // It ends by itself; waiting leaves no zombie, and cannot fail for a child of ours.
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_has_the_name_by_which_it_is_asked_for() {
        for load in Load::value_variants() {
            let value = load.to_possible_value().unwrap();
            assert_eq!(load.to_string(), value.get_name());
            assert_eq!(serde_json::to_value(load).unwrap(), value.get_name());
        }
    }

    #[test]
    fn every_load_but_none_has_processes() {
        for &load in Load::value_variants() {
            assert_eq!(load.works().is_empty(), load == Load::Idle, "{load}");
        }
        assert_eq!(Load::Crowded.works().len(), 2 * Load::Busy.works().len());
    }
}
