//! Why a command failed, and its exit status.

use anstyle::{AnsiColor, Color, Style};
use punctual_data::text::Text;
use std::fmt::{Arguments, Display};
use std::io;
use std::process::ExitCode;

/// The same as in the parser's own errors, so that all errors look alike.
const LABEL: Style = Style::new()
    .bold()
    .fg_color(Some(Color::Ansi(AnsiColor::Red)));
/// Below a line without text.
const HINT: &str = "\nFor more information, try '--help'.";

const EXIT_FAILED: u8 = 1;
const EXIT_USAGE: u8 = 2;

/// A command's failure.
#[derive(Debug)]
pub enum Failure {
    /// The command line is wrong; nothing was run.
    Usage(String),
    /// Something failed while it ran.
    Run(String),
    /// Nothing ran, and the exit status says why.
    Refused(String, u8),
    /// A signal came before there was anything to show.
    Stopped,
}

impl Failure {
    /// A flag's value that is wrong on this machine, in the parser's words.
    pub fn flag(flag: &str, problem: impl Display) -> Self {
        Self::Usage(format!("invalid value for '{flag}': {problem}"))
    }

    /// An error that stops a run.
    pub fn run(problem: impl Display) -> Self {
        Self::Run(problem.to_string())
    }

    /// Prints it to standard error, and returns the exit status.
    pub fn report(self) -> ExitCode {
        let (problem, hint, status) = match self {
            Self::Usage(problem) => (problem, HINT, EXIT_USAGE),
            Self::Run(problem) => (problem, "", EXIT_FAILED),
            Self::Refused(problem, status) => (problem, "", status),
            // Whoever sent the signal knows, and the exit status tells, too.
            Self::Stopped => return ExitCode::from(EXIT_FAILED),
        };
        on_stderr(|out| {
            out.styled(LABEL, "error:")?;
            writeln!(out, " {problem}")?;
            out.lines(hint)
        });
        ExitCode::from(status)
    }
}

/// Prints a line to standard error. A failure to print is ignored, because the exit status also
/// tells.
pub fn complain(complaint: Arguments<'_>) {
    on_stderr(|out| writeln!(out, "{complaint}"));
}

/// Writes to standard error. A failure to print is ignored, because the exit status also tells.
pub fn on_stderr(write: impl FnOnce(&mut Text) -> io::Result<()>) {
    #[expect(clippy::disallowed_methods, reason = "the one door")]
    let _ = write(&mut Text::on(&mut anstream::stderr()));
}
