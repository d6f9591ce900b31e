//! What else the machine does while it is measured: child processes that spin, build, copy, send and browse.

mod browse;
mod compile;
mod memory;
mod network;
mod work;

use crate::answering::Worker;
use crate::failure::Failure;
use crate::given::name_of;
use crate::machine::processors;
use clap::ValueEnum;
use serde::Serialize;
use std::fmt;
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
        f.write_str(&name_of(self))
    }
}

/// The scheduler spreads new processes over the processors within a few of its ticks (4 ms at
/// 250 Hz), and the largest of them fills its memory within a tenth of a second.
const SETTLE: Duration = Duration::from_millis(300);

impl Load {
    /// The processes end when they are dropped.
    pub fn start(self) -> Result<Vec<Worker>, Failure> {
        let start = |work: &Work| Worker::start(SUBCOMMAND, &name_of(work));
        let workers = self
            .works()
            .iter()
            .map(start)
            .collect::<Result<Vec<_>, _>>()?;
        if !workers.is_empty() {
            thread::sleep(SETTLE);
        }
        Ok(workers)
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
