//! The command `punctual`.
//!
//! Exit status: 0 done, 1 the run failed, 2 the command line is wrong (nothing was run), 3 a bound
//! of `--fail-if` was broken; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.
//! `explain -- COMMAND` and `run -- PROGRAM` have the status of what they run.

// Tests print why they were skipped.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

mod clocks;
mod command_line;
mod compare;
mod completions;
mod doctor;
#[cfg(feature = "sim")]
mod emulate;
#[cfg(feature = "sim")]
mod evidence;
mod explain;
mod failure;
mod flags;
#[cfg(feature = "fleet")]
mod fleet;
mod input;
mod interrupt;
mod languages;
#[cfg(feature = "sim")]
mod machines;
mod manual;
mod measure;
mod os;
mod output;
mod pace;
#[cfg(feature = "sim")]
mod personas;
mod progress;
mod remedies;
mod report;
mod resolution;
mod run;
#[cfg(feature = "sim")]
mod settle;
mod show;
mod sleep;
mod statistics;
mod sweep;
mod trace;
#[cfg(not(all(feature = "sim", feature = "watch", feature = "fleet")))]
mod unbuilt;
#[cfg(not(feature = "sim"))]
mod unsimulated;
#[cfg(feature = "watch")]
mod watch;
mod words;

use clap::CommandFactory;
use command_line::{Args, Command};
use failure::Failure;
use interrupt::Stop;
use punctual_lab::limits::make_file_size_limit_an_error;
use std::process::ExitCode;

fn main() -> ExitCode {
    make_file_size_limit_an_error();
    let args = match command_line::parse(std::env::args_os().collect()) {
        Ok(args) => args,
        // Help and version also come as errors of the parser.
        Err(instead) => return tell(&instead),
    };
    // These end with the program that started them, whatever signals it gets.
    if let Command::LoadChild(args) = &args.command {
        return punctual_lab::child::run(&args.kind);
    }
    // Signals are the program's that it runs.
    #[cfg(feature = "sim")]
    if let Command::Run(args) = &args.command {
        return emulate::run(args);
    }
    // Before anything is started that must be ended.
    let stop = match Stop::listen() {
        Ok(stop) => stop,
        Err(failure) => return failure.report(),
    };
    let outcome = run(args.command, &stop);
    outcome.unwrap_or_else(|failure| stop.status_or(failure.report()))
}

fn run(command: Command, stop: &Stop) -> Result<ExitCode, Failure> {
    match command {
        Command::Measure(args) => measure::measure(&args, stop),
        Command::Compare(args) => compare::compare(&args, stop),
        Command::Pace(args) => pace::pace(&args, stop),
        Command::Sleep(args) => sleep::sleep(&args, stop),
        Command::Clocks(args) => clocks::clocks(&args, stop),
        Command::Sweep(args) => sweep::sweep(&args, stop),
        #[cfg(feature = "sim")]
        Command::Machines(args) => machines::machines(&args),
        #[cfg(feature = "sim")]
        Command::Evidence(args) => evidence::evidence(args, stop),
        #[cfg(feature = "sim")]
        Command::Languages(args) => languages::languages(&args, stop),
        #[cfg(feature = "sim")]
        Command::Personas(args) => personas::run(&args),
        #[cfg(feature = "sim")]
        Command::Settle(args) => settle::settle(&args, stop),
        Command::Resolution(args) => resolution::resolution(&args, stop),
        #[cfg(feature = "watch")]
        Command::Watch(args) => watch::watch(&args, stop),
        #[cfg(not(feature = "watch"))]
        Command::Watch(_) => Err(unbuilt::lacks("watch")),
        #[cfg(feature = "fleet")]
        Command::Fleet(args) => fleet::fleet(&args),
        #[cfg(not(feature = "fleet"))]
        Command::Fleet(_) => Err(unbuilt::lacks("fleet")),
        Command::Doctor(args) => doctor::doctor(&args, stop),
        Command::Completions(args) => completions::completions(&args, Args::command()),
        Command::Man(args) => manual::man(&args, Args::command(), stop),
        Command::Explain(args) => explain::explain(&args, stop),
        Command::Trace(args) => trace::trace(&args),
        Command::Report(args) => report::report(&args, stop),
        #[cfg(not(feature = "sim"))]
        Command::Machines(args)
        | Command::Evidence(args)
        | Command::Languages(args)
        | Command::Personas(args)
        | Command::Settle(args) => unsimulated::run(&args),
        #[cfg(not(feature = "sim"))]
        Command::Run(args) => unsimulated::run(&args),
        Command::ReportStep(step) => {
            stop.end_with_input()?;
            let words = ["punctual".to_owned()].into_iter().chain(step.words);
            match command_line::parse(words.map(Into::into).collect()) {
                Ok(args) => run(args.command, stop),
                Err(instead) => Ok(tell(&instead)),
            }
        }
        #[cfg(feature = "sim")]
        Command::Run(args) => Ok(emulate::run(&args)),
        Command::LoadChild(args) => Ok(punctual_lab::child::run(&args.kind)),
    }
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

/// How much is tried: what finds the common mistakes, or with `PUNCTUAL_LONG=1` what finds rare ones, too.
#[cfg(test)]
fn effort(quick: u32, long: u32) -> u32 {
    match std::env::var_os("PUNCTUAL_LONG") {
        None => quick,
        Some(_) => long,
    }
}
