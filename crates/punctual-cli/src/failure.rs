//! Why a command failed, and its exit status.

use crate::remedies::command;
use anstyle::{AnsiColor, Color, Style};
use punctual_data::quantity;
use punctual_data::text::Text;
use punctual_lab::machine::Refused;
use punctual_lab::question::{Refusal, Wish};
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
    /// A signal came before there was anything to show.
    Stopped,
}

impl Failure {
    /// A flag's value that is wrong on this machine, in the parser's words.
    pub fn flag(flag: &str, problem: impl Display) -> Self {
        Self::Usage(format!("invalid value for '{flag}': {problem}"))
    }

    /// A machine's refusal of a question, with the flag that caused it. `length_flag` is the flag
    /// for how long it takes.
    pub fn refused(refusal: Refusal, length_flag: &str, is_simulated: bool) -> Self {
        let flag = match &refusal {
            Refusal::Unknown { kind, .. }
            | Refusal::Twice { kind, .. }
            | Refusal::Persona { kind, .. } => format!("--{kind}"),
            Refusal::Unheard {
                wish: Wish::LateRate,
                ..
            } => "--late-rate".to_owned(),
            Refusal::Unheard {
                wish: Wish::Budget, ..
            } => "--budget".to_owned(),
            Refusal::NoInterval => "--request".to_owned(),
            Refusal::NothingToTune => "--tuned".to_owned(),
            Refusal::NoSlices
            | Refusal::SliceTwice(_)
            | Refusal::TooManySlices
            | Refusal::OneSlice
            | Refusal::Slice(_) => "--slice".to_owned(),
            Refusal::TooShort { .. } => length_flag.to_owned(),
            Refusal::TooMuchWork { .. } => "--work".to_owned(),
            Refusal::Companion { .. } => "--with".to_owned(),
            Refusal::Standing { standing, .. } if standing.hidden => "--hidden".to_owned(),
            Refusal::Standing { .. } => "--throttling".to_owned(),
            Refusal::Load(_) => "--load".to_owned(),
            Refusal::Pin(_) => "--pin".to_owned(),
            Refusal::Machine(_) => "--on".to_owned(),
            Refusal::Priority(error) => return Self::run(format!("--priority: {error}")),
            Refusal::Tune(refused) => return Self::run(format!("--tuned: {}", tuning(refused))),
        };
        Self::flag(&flag, problem(&refusal, is_simulated))
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

/// Where to find what this machine lacks.
pub const INSTEAD: &str = if cfg!(feature = "sim") {
    " (try --on windows-10-2004)"
} else {
    ""
};

/// Where to find what only Windows 11 has.
const INSTEAD_11: &str = if cfg!(feature = "sim") {
    " (try --on windows-11)"
} else {
    ""
};

/// Why the machine cannot be tuned, and the command that would permit it.
fn tuning(refused: &Refused) -> String {
    match &refused.remedy {
        Some(remedy) => format!("{}; to permit it: {}", refused.error, command(remedy)),
        None => refused.error.to_string(),
    }
}

/// What is wrong, and what would be right.
fn problem(refusal: &Refusal, is_simulated: bool) -> String {
    match refusal {
        Refusal::Unheard { kind, name, .. } => {
            format!("it applies to {kind} '{name}', which --{kind} leaves out")
        }
        Refusal::NoInterval => format!("{refusal}{INSTEAD}"),
        Refusal::NothingToTune if is_simulated => {
            "there is nothing to tune on a simulated machine: its processors do not sleep, and \
             its memory stays in place"
                .to_owned()
        }
        Refusal::NothingToTune => {
            "there is nothing to tune here: only Linux has /dev/cpu_dma_latency".to_owned()
        }
        Refusal::TooShort { tried, least } => format!(
            "too short for a turn of each of {tried}; the least is {}",
            quantity::show(*least)
        ),
        Refusal::TooMuchWork { work, period } => format!(
            "{} of work leaves no time to wait in a period of {}",
            quantity::show(*work),
            quantity::show(*period)
        ),
        Refusal::Companion { companion, reason } => {
            let hint = if cfg!(feature = "sim") {
                "; simulated machines can have it (try --on windows-10-2004)"
            } else {
                ""
            };
            format!("{companion} is not available here: {reason}{hint}")
        }
        Refusal::Standing { reason, .. } => format!("{reason}{INSTEAD_11}"),
        Refusal::Persona { .. } if !is_simulated => {
            format!("{refusal} (try --on windows-10-2004)")
        }
        refusal => refusal.to_string(),
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
