//! `punctual doctor`: what this machine permits, and the commands that would permit the rest.

pub mod clocks;
mod words;

use anstyle::Style;
use clocks::ClocksArgs;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_command::stop::Stop;
use punctual_data::markdown::Page;
use punctual_data::show::Show;
use punctual_data::table::{Table, or_empty};
use punctual_data::text::{ATTENTION, Text, WIDTH, wrapped};
use punctual_lab::machine::{Finding, Matter, Remedy, State};
use punctual_lab::{Native, doctor};
use punctual_trace::Capture;
use serde::Serialize;
use std::io;
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

/// Runs the command.
pub fn doctor(args: &DoctorArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    if let Some(Instead::Clocks(args)) = &args.instead {
        return clocks::clocks(args, stop);
    }
    let machine = Native::detect().map_err(Failure::run)?;
    // What is tried here is always undone.
    let guard = stop.guard();
    let mut findings = doctor::examine(&machine);
    findings.push(trace());
    if guard.end() {
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
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub struct DoctorArgs {
    #[command(flatten)]
    format: FormatArgs,

    #[command(subcommand)]
    pub instead: Option<Instead>,
}

/// What is examined instead.
#[derive(Debug, clap::Subcommand)]
pub enum Instead {
    Clocks(ClocksArgs),
}

const EXAMPLES: &str = "\
Examples:
  punctual doctor
  punctual doctor --json
  punctual doctor --markdown
  punctual doctor clocks --duration 1min

Exit status: 0 the machine was examined, 1 it could not be; stopped by a signal:
130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";

// What a machine permits, as text of at most 80 columns: a line for each thing, and below it the
// command that would help.

/// Columns of a name: the longest that is usual, `high priority`, and some air.
const WHAT: usize = 15;
/// Columns of a state, and some air.
const STATE: usize = 9;

impl Show for Examination {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        for finding in &self.findings {
            write_finding(out, finding)?;
        }
        let findings = self.findings.iter();
        let better = findings.filter(|finding| finding.remedy.is_some()).count();
        match better {
            0 => out.lines("\nNothing that a command would improve."),
            _ => out.lines(
                "\nA command after $ improves the line above it, for this shell or until the next\n\
                 boot. Nothing has been changed.",
            ),
        }
    }

    fn page(&self) -> Page {
        Page {
            title: "What this machine permits a program that waits".to_owned(),
            tables: vec![(String::new(), table(&self.findings))],
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        table(&self.findings)
    }
}

fn table(findings: &[Row]) -> Table {
    let names = ["what", "state", "effect", "what would help"];
    Table::wide(names).with(findings.iter().map(|finding| {
        let (state, _) = state(finding.state);
        vec![
            finding.what.clone(),
            state.to_owned(),
            finding.effect.clone(),
            or_empty(finding.remedy.as_ref()),
        ]
    }))
}

fn write_finding(out: &mut Text, finding: &Row) -> io::Result<()> {
    let (word, style) = state(finding.state);
    let what = &finding.what;
    // A name that is too wide has a line of its own.
    if what.chars().count() >= WHAT {
        writeln!(out, "{what}")?;
        write!(out, "{:WHAT$}", "")?;
    } else {
        write!(out, "{what:WHAT$}")?;
    }
    out.styled(style, word)?;
    write!(out, "{:width$}", "", width = STATE - word.len())?;
    for (index, line) in wrapped(&finding.effect, WIDTH - WHAT - STATE).enumerate() {
        let indent = if index == 0 { 0 } else { WHAT + STATE };
        writeln!(out, "{:indent$}{line}", "")?;
    }
    match &finding.remedy {
        Some(remedy) => writeln!(
            out,
            "{:>width$} {remedy}",
            "$",
            width = remedy_column(remedy)
        ),
        None => Ok(()),
    }
}

/// Where commands begin, or further left if they would not fit the line. They are not broken: people
/// copy them.
fn remedy_column(remedy: &str) -> usize {
    let room = WIDTH.saturating_sub(remedy.chars().count() + 1);
    room.clamp(1, WHAT + 1)
}

fn state(state: State) -> (&'static str, Style) {
    match state {
        State::Good => ("good", Style::new()),
        State::Limited => ("limited", ATTENTION),
        State::Missing => ("missing", ATTENTION),
        State::Unknown => ("unknown", Style::new()),
    }
}
