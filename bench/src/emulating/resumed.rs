//! A program under a tracer that stops it at its timed calls and does nothing else.

use crate::failure::Failure;
use crate::os::resuming;
use std::ffi::OsString;
use std::process::Command;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "be-resumed";

/// The program that it becomes.
#[derive(Debug, clap::Args)]
pub struct Program {
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl Program {
    pub fn run(&self) -> Result<(), Failure> {
        let (program, arguments) = self.words.split_first().ok_or("no program")?;
        resuming::become_traced(Command::new(program).args(arguments))
    }
}
