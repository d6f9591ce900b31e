//! `punctual doctor`: what this machine permits, and the commands that would permit the rest.

mod show;
mod words;

use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_command::stop::Stop;
use punctual_lab::machine::{self, Finding, Matter, Remedy};
use punctual_lab::{Native, doctor};
use punctual_trace::Capture;
use serde::Serialize;
use std::process::ExitCode;

/// The schema that this version writes.
const SCHEMA: &str = "punctual.doctor/1";

/// Everything found on a machine, in words.
#[derive(Debug, Serialize)]
struct Examination {
    schema: &'static str,
    punctual_version: &'static str,
    /// In the order in which to show them.
    findings: Vec<Row>,
}

/// One thing on which punctual waiting depends.
#[derive(Debug, Serialize)]
struct Row {
    /// Its name: `timer slack`.
    what: String,
    state: State,
    /// The meaning of its state for waits.
    effect: String,
    /// The command that makes it good, if there is one.
    remedy: Option<String>,
}

/// How good a thing is for waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Good,
    Limited,
    Missing,
    Unknown,
}

impl From<machine::State> for State {
    fn from(state: machine::State) -> Self {
        match state {
            machine::State::Good => Self::Good,
            machine::State::Limited => Self::Limited,
            machine::State::Missing => Self::Missing,
            machine::State::Unknown => Self::Unknown,
        }
    }
}

/// Runs the command.
pub fn doctor(args: &DoctorArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    // What is tried here is always undone.
    let heeding = stop.heed();
    let mut findings = doctor::examine(&machine);
    findings.push(trace());
    if heeding.end() {
        return Err(Failure::Stopped);
    }
    let examination = Examination {
        schema: SCHEMA,
        punctual_version: env!("CARGO_PKG_VERSION"),
        findings: findings.iter().map(words::row).collect(),
    };
    crate::show::in_format(args.format, &examination)?;
    Ok(ExitCode::SUCCESS)
}

/// Prepares a capture and removes it before it records anything.
fn trace() -> Finding {
    Finding::attempted(
        Matter::KernelTrace,
        Capture::prepare(),
        Capture::remedy().map(Remedy::Command),
    )
}

// The command line of `punctual doctor`.

/// Check what this machine permits, and name the commands that permit the rest.
///
/// Examines everything that affects the punctuality of waits: priorities, processors and quotas,
/// locked memory, processor sleep states, the clock, timers and their slack, the kernel's trace
/// (for 'explain') and every way of waiting. To learn whether an action is permitted, it does the
/// action and undoes it at once, so nothing stays changed. Each finding states its effect on waits
/// and, where there is one, the command that helps.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES: &str = "\
Examples:
  punctual doctor
  punctual doctor --json
  punctual doctor --markdown

Exit status: 0 the machine was examined, 1 it could not be; stopped by a signal:
130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";
