//! Why a command did not do what it was asked, and the exit status that says so to programs.

use crate::quantity;
use crate::remedies::command;
use anstyle::{AnsiColor, Color, Style};
use punctual_lab::machine::Refused;
use punctual_lab::question::{Refusal, Wish};
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

    /// What a machine says to a question, by the flag that asked for it. `length_flag` says how long
    /// it was to take.
    pub fn refused(refusal: Refusal, length_flag: &str, is_simulated: bool) -> Self {
        let flag = match &refusal {
            Refusal::Unknown { kind, .. } | Refusal::Twice { kind, .. } => format!("--{kind}"),
            Refusal::Unheard {
                wish: Wish::LateRate,
                ..
            } => "--late-rate".to_owned(),
            Refusal::Unheard {
                wish: Wish::Budget, ..
            } => "--budget".to_owned(),
            Refusal::NoInterval => "--request".to_owned(),
            Refusal::NothingToTune => "--tuned".to_owned(),
            Refusal::TooShort { .. } => length_flag.to_owned(),
            Refusal::TooMuchWork { .. } => "--work".to_owned(),
            Refusal::Companion { .. } => "--with".to_owned(),
            Refusal::Load(_) => "--load".to_owned(),
            Refusal::Pin(_) => "--pin".to_owned(),
            Refusal::Machine(_) => "--on".to_owned(),
            Refusal::Priority(error) => return Self::run(format!("--priority: {error}")),
            Refusal::Tune(refused) => return Self::run(format!("--tuned: {}", tuning(refused))),
        };
        Self::flag(&flag, problem(&refusal, is_simulated))
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

/// Where there is what this machine lacks, if anywhere.
pub const INSTEAD: &str = if cfg!(feature = "sim") {
    " (try --on windows-10-2004)"
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
            format!("it is for {kind} '{name}', which --{kind} leaves out")
        }
        Refusal::NoInterval => format!("{refusal}{INSTEAD}"),
        Refusal::NothingToTune if is_simulated => {
            "the processors of a simulated machine do not sleep and its memory stays: there is \
             nothing to tune"
                .to_owned()
        }
        Refusal::NothingToTune => {
            "there is nothing to tune here: only Linux has /dev/cpu_dma_latency".to_owned()
        }
        Refusal::TooShort { tried, least } => format!(
            "too short for {tried} to have a turn each; the least is {}",
            quantity::show(*least)
        ),
        Refusal::TooMuchWork { work, period } => format!(
            "{} of work leaves nothing of a period of {} to wait",
            quantity::show(*work),
            quantity::show(*period)
        ),
        Refusal::Companion { companion, reason } => {
            let hint = if cfg!(feature = "sim") {
                "; a simulated machine can have it (try --on windows-10-2004)"
            } else {
                ""
            };
            format!("no {companion} here: {reason}{hint}")
        }
        refusal => refusal.to_string(),
    }
}

/// Says it on standard error, if anybody can hear it: the exit status says it, too.
pub fn complain(complaint: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{complaint}");
}
