//! Why a command did not do what it was asked, and the exit status that says so to programs.

use anstyle::{AnsiColor, Color, Style};
use std::fmt::{Arguments, Display};
use std::io::Write;
use std::process::ExitCode;

/// As the parser of the command line shows its own errors, so that all look alike.
const LABEL: Style = Style::new()
    .bold()
    .fg_color(Some(Color::Ansi(AnsiColor::Red)));
const HINT: &str = "For more information, try '--help'.";

const EXIT_FAILED: u8 = 1;
const EXIT_USAGE: u8 = 2;

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
        let (problem, status) = match self {
            Self::Usage(problem) => (problem + "\n\n" + HINT, EXIT_USAGE),
            Self::Run(problem) => (problem, EXIT_FAILED),
        };
        complain(format_args!("{LABEL}error:{LABEL:#} {problem}"));
        ExitCode::from(status)
    }
}

/// Says it on standard error, if anybody can hear it: the exit status says it, too.
pub fn complain(complaint: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{complaint}");
}
