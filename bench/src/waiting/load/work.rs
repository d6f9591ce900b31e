//! What a process of a load does until its input ends.

use super::{browse, compile, memory, network};
use crate::failure::Failure;
use clap::ValueEnum;
use std::hint::black_box;
use std::io::{self, Read};
use std::process;
use std::thread;

/// The hidden subcommand that a child runs.
pub const SUBCOMMAND: &str = "work-until-input-ends";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Work {
    Spin,
    Compile,
    Memory,
    Network,
    Browse,
}

impl Work {
    /// Goes on until the input ends, which ends the process.
    pub fn run(self) -> Result<(), Failure> {
        end_with_input();
        match self {
            Self::Spin => spin(),
            Self::Compile => compile::compile(),
            Self::Memory => memory::copy(),
            Self::Network => network::send(),
            Self::Browse => browse::browse(),
        }
    }
}

/// The pipe it reads closes when the parent ends, even if that is killed.
fn end_with_input() {
    thread::spawn(|| {
        // Nobody writes to the pipe; whatever ends the reading ends this.
        let _ = io::stdin().read(&mut [0]);
        process::exit(0);
    });
}

/// What a process does that only keeps a processor busy.
pub fn spin_until_input_ends() -> ! {
    end_with_input();
    spin()
}

/// Computes. A loop of pauses would be no load for a virtual processor: its host notices, and runs
/// another in the meantime.
fn spin() -> ! {
    let mut number = 1_u64;
    loop {
        number = black_box(number.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(7));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given::name_of;

    #[test]
    fn a_child_is_asked_for_its_work_by_name() {
        for work in Work::value_variants() {
            assert_eq!(Work::from_str(&name_of(work), false), Ok(*work));
        }
    }
}
