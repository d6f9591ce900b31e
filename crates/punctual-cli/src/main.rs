//! The command `punctual`.
//!
//! Exit status: 0 done, 1 the run failed, 2 the command line is wrong (nothing was run), 3 a bound
//! of `--fail-if` was broken, 130 stopped by Ctrl-C.

#![warn(clippy::print_stdout, clippy::print_stderr)]

mod clocks;
mod command_line;
mod compare;
mod completions;
mod doctor;
mod escape;
#[cfg(feature = "sim")]
mod evidence;
mod explain;
mod failure;
mod flags;
mod input;
mod interrupt;
mod json;
#[cfg(feature = "sim")]
mod machines;
mod manual;
mod measure;
mod os;
mod output;
mod pace;
mod progress;
mod quantity;
mod remedies;
mod report;
mod resolution;
mod run;
mod show;
mod sweep;
mod text;
#[cfg(not(feature = "sim"))]
mod unsimulated;
mod words;

use clap::CommandFactory;
use command_line::{Args, Command};
use failure::Failure;
use punctual_lab::limits::make_file_size_limit_an_error;
use std::process::ExitCode;

fn main() -> ExitCode {
    make_file_size_limit_an_error();
    let args = match command_line::parse(std::env::args_os().collect()) {
        Ok(args) => args,
        // Help and version also come as errors of the parser.
        Err(instead) => return tell(&instead),
    };
    let outcome = match args.command {
        Command::Measure(args) => measure::measure(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Pace(args) => pace::pace(&args),
        Command::Clocks(args) => clocks::clocks(&args),
        Command::Sweep(args) => sweep::sweep(&args),
        #[cfg(feature = "sim")]
        Command::Machines(args) => machines::machines(&args),
        #[cfg(feature = "sim")]
        Command::Evidence(args) => evidence::evidence(args),
        Command::Resolution(args) => resolution::resolution(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Completions(args) => completions::completions(&args, Args::command()),
        Command::Man(args) => manual::man(&args, Args::command()),
        Command::Explain(args) => explain::explain(&args),
        Command::Report(args) => report::report(&args),
        #[cfg(not(feature = "sim"))]
        Command::Machines(args) | Command::Evidence(args) => unsimulated::run(&args),
        Command::LoadChild(args) => Ok(punctual_lab::child::run(&args.kind)),
    };
    outcome.unwrap_or_else(Failure::report)
}

/// Prints the parser's message instead of running anything. If help cannot be printed, the command
/// fails.
fn tell(instead: &clap::Error) -> ExitCode {
    let status = match instead.print() {
        Ok(()) => instead.exit_code(),
        Err(error) if output::is_closed_pipe(&error) => instead.exit_code(),
        Err(_) => instead.exit_code().max(1),
    };
    ExitCode::from(u8::try_from(status).unwrap_or(1))
}
