//! One run of a program whose timed waits end when a policy says.

use crate::os;
use crate::timer_policy::TimerPolicy;
use serde::Serialize;
use std::fmt;
use std::process::Command;

/// How to run it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether frequent waits may go through code that is put into the program, which halves their cost.
    /// Without it every wait stops the program at its begin and at its end.
    pub stub: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { stub: true }
    }
}

/// How the program itself ended. Its children may have ended otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It exited with this code.
    Exited(i32),
    /// A signal of this number ended it.
    Signalled(i32),
}

impl Status {
    /// The exit code that a shell shows for it.
    pub fn exit_code(self) -> i32 {
        match self {
            Self::Exited(code) => code,
            // As POSIX shells do.
            Self::Signalled(signal) => 128 + signal,
        }
    }

    /// Whether somebody at the terminal, or whoever ends programs, has stopped it.
    pub fn is_stopped(self) -> bool {
        // SIGHUP, SIGINT and SIGTERM have these numbers on every Linux.
        matches!(self, Self::Signalled(1 | 2 | 15))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(0) => f.write_str("succeeded"),
            Self::Exited(code) => write!(f, "exited with {code}"),
            Self::Signalled(signal) => write!(f, "ended by signal {signal}"),
        }
    }
}

/// What the tracer did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Processes that the program consisted of.
    pub processes: u64,
    /// Threads that it had.
    pub threads: u64,
    /// How often a thread was stopped, for whatever reason.
    pub stops: u64,
    /// Waits and timers whose end the policy said.
    pub steered: u64,
    /// Those of them that stopped the program only once.
    pub one_stop: u64,
    /// Timed calls that were left as they were: their time had passed already, or they were wrong.
    pub left: u64,
    /// Waits that were given another end while they lasted.
    pub revised: u64,
    /// Timed calls that could not be steered, because the program's memory could not be written.
    pub failed: u64,
}

/// A run that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// How the program itself ended.
    pub status: Status,
    /// What the tracer did.
    pub counts: Counts,
}

/// Why nothing ran.
#[derive(Debug)]
pub struct Refusal {
    what: String,
    exit_code: i32,
}

impl Refusal {
    /// A refusal of the tracer itself.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        // 125 is what env, timeout and nohup exit with when they themselves fail.
        Self {
            what: what.into(),
            exit_code: 125,
        }
    }

    /// The program exists and cannot be run.
    #[allow(dead_code, reason = "only where programs can be traced")]
    pub(crate) fn not_executable(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            exit_code: 126,
        }
    }

    /// There is no such program.
    #[allow(dead_code, reason = "only where programs can be traced")]
    pub(crate) fn not_found(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            exit_code: 127,
        }
    }

    /// What to exit with: 125 if the program cannot be steered here, 126 if it cannot be run, 127 if there is
    /// none, as POSIX has it for commands that run others.
    pub fn exit_code(&self) -> i32 {
        self.exit_code
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Refusal {}

/// A program under a policy.
#[derive(Debug, Clone, Copy)]
pub struct Session;

impl Session {
    /// Runs a program until it and all its descendants have ended. It shares this process' terminal, input
    /// and output, whatever the command says of them; its words, environment and folder are the command's.
    ///
    /// While it runs, this process ignores SIGINT and SIGQUIT, which a terminal sends to the program as well,
    /// and passes SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 on. If this process is killed, the program ends with
    /// it. One run at a time: a second one meanwhile would wait for the first one's children.
    ///
    /// # Errors
    /// If nothing ran: the program does not exist, or it cannot be traced here.
    pub fn run(
        command: &Command,
        policy: &mut dyn TimerPolicy,
        options: &Options,
    ) -> Result<Ended, Refusal> {
        os::run(command, policy, options)
    }

    /// Whether programs can be steered on this machine.
    ///
    /// # Errors
    /// If not: why.
    pub fn possible() -> Result<(), Refusal> {
        os::possible()
    }
}
