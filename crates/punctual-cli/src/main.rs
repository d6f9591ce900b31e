//! The command `punctual`.
//!
//! What comes in: a command line. What goes out: text, tables or JSON, a file, and an exit status. Each command has a file
//! and a folder of its name: its flags become a question, and its answer becomes text.
//!
//! | to change | open |
//! |---|---|
//! | what a command takes | `NAME/flags.rs`, or `NAME.rs` if there is none; flags of several commands are in `flags.rs` |
//! | what it prints | `NAME/show.rs`, and `show.rs` for what several have |
//! | a page or a picture | `report.rs` |
//! | signals, failures, output files | the crate `punctual-command` |
//!
//! Exit status: 0 done, 1 the run failed, 2 the command line is wrong (nothing was run), 3 a bound
//! of `--fail-if` was broken; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.
//! `explain -- COMMAND` and `run -- PROGRAM` have the status of what they run.

// Tests print why they were skipped.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

mod command_line;
mod compare;
mod doctor;
#[cfg(feature = "sim")]
mod emulate;
mod explain;
mod flags;
mod measure;
mod os;
mod refusal;
mod report;
mod resolution;
mod run;
mod show;
#[cfg(not(feature = "sim"))]
mod unsimulated;
mod watch;
mod windows;
mod words;

use clap::CommandFactory;
use command_line::{Args, Command};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_command::{arguments, completions};
use punctual_lab::limits::make_file_size_limit_an_error;
use std::process::ExitCode;

/// The exit status of a run in which a bound was broken.
const EXIT_BOUND_BROKEN: u8 = 3;

fn main() -> ExitCode {
    make_file_size_limit_an_error();
    let words: Vec<_> = std::env::args_os().collect();
    let args: Args = match arguments::parse(&words) {
        Ok(args) => args,
        // Help and version also come as errors of the parser.
        Err(instead) => return arguments::tell(&instead),
    };
    // These end with the program that started them, whatever signals it gets.
    if let Command::LoadChild(args) = &args.command {
        return punctual_lab::child::run(&args.kind);
    }
    // Signals are the program's that it becomes or runs.
    if let Command::Watch(args) = &args.command {
        return watch::watch(args).unwrap_or_else(Failure::report);
    }
    #[cfg(feature = "sim")]
    if let Command::Run(args) = &args.command {
        return emulate::run(args).unwrap_or_else(Failure::report);
    }
    punctual_command::run(|stop| run(args.command, stop))
}

fn run(command: Command, stop: &Stop) -> Result<ExitCode, Failure> {
    match command {
        Command::Measure(args) => measure::measure(&args, stop),
        Command::Compare(args) => compare::compare(&args, stop),
        #[cfg(feature = "sim")]
        Command::Windows(args) => windows::windows(&args, stop),
        Command::Resolution(args) => resolution::resolution(&args, stop),
        Command::Watch(args) => watch::watch(&args),
        Command::Doctor(args) => doctor::doctor(&args, stop),
        Command::Completions(args) => completions::print(&args, Args::command(), stop),
        Command::Explain(args) => explain::explain(&args, stop),
        Command::Report(args) => report::report(&args, stop),
        #[cfg(not(feature = "sim"))]
        Command::Windows(args) | Command::Run(args) => unsimulated::run(args),
        #[cfg(feature = "sim")]
        Command::Run(args) => emulate::run(&args),
        Command::LoadChild(args) => Ok(punctual_lab::child::run(&args.kind)),
    }
}

/// How much is tried: what finds the common mistakes, or with `PUNCTUAL_LONG=1` what finds rare ones, too.
#[cfg(test)]
fn effort(quick: u32, long: u32) -> u32 {
    match std::env::var_os("PUNCTUAL_LONG") {
        None => quick,
        Some(_) => long,
    }
}
