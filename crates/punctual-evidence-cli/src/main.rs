//! The command `punctual-evidence`.
//!
//! Exit status: 0 done, 1 the run failed, 2 the command line is wrong (nothing was run), 3 a case did not come out as
//! expected; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.
//!
//! | to change | open |
//! |---|---|
//! | a flag, or help | `command_line` |
//! | which cases are chosen, and how they are shown | `command_line`, `replay` |
//! | which case fixes which rule, and what is open | `fixes`, `hypotheses` |
//! | what runs on a real Windows, and what is said of a recording | `settle` |

// Tests print why they were skipped.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

mod command_line;
mod fixes;
mod following;
mod hypotheses;
mod replay;
mod settle;

use clap::CommandFactory;
use command_line::{Args, Command};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_command::{arguments, completions};
use punctual_lab::limits::make_file_size_limit_an_error;
use std::process::ExitCode;

fn main() -> ExitCode {
    make_file_size_limit_an_error();
    let words: Vec<_> = std::env::args_os().collect();
    let args: Args = match arguments::parse(&words) {
        Ok(args) => args,
        // Help and version also come as errors of the parser.
        Err(instead) => return arguments::tell(&instead),
    };
    // It ends with the program that started it, whatever signals it gets.
    if let Command::LoadChild(args) = &args.command {
        return punctual_lab::child::run(&args.kind);
    }
    punctual_command::run(|stop| run(args.command, stop))
}

fn run(command: Command, stop: &Stop) -> Result<ExitCode, Failure> {
    match command {
        Command::Replay(args) => replay::replay(args),
        Command::Fixes(args) => fixes::fixes(&args, stop),
        Command::Hypotheses(args) => hypotheses::hypotheses(args),
        Command::Settle(args) => settle::settle(&args, stop),
        Command::Completions(args) => completions::print(&args, Args::command(), stop),
        Command::LoadChild(args) => Ok(punctual_lab::child::run(&args.kind)),
    }
}
