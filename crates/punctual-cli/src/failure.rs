//! Why a command did not do what it was asked, and the exit status that says so to programs.

use crate::args::Args;
use clap::CommandFactory;
use clap::error::ErrorKind;
use std::fmt::Display;
use std::process::ExitCode;

/// A command's failure.
#[derive(Debug)]
pub enum Failure {
    /// The command line is wrong; nothing was run.
    Usage(String),
    /// Something went wrong while it ran.
    Run(String),
}

impl Failure {
    /// A flag's value that only this machine makes wrong, said as the parser says it.
    pub fn flag(flag: &str, problem: impl Display) -> Self {
        Self::Usage(format!("invalid value for '{flag}': {problem}"))
    }

    /// Anything that stops a run.
    pub fn run(problem: impl Display) -> Self {
        Self::Run(problem.to_string())
    }

    /// Says it on standard error, and returns the exit status.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Usage(problem) => {
                // The parser's own way: its colours, its hint, exit status 2.
                Args::command()
                    .error(ErrorKind::ValueValidation, problem)
                    .exit()
            }
            Self::Run(problem) => {
                anstream::eprintln!("error: {problem}");
                ExitCode::FAILURE
            }
        }
    }
}
