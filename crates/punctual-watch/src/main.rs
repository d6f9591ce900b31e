//! The command `punctual-watch`, which `punctual watch` becomes.
//!
//! Exit status: 0 done, or a watch ended because it was asked to; 1 it failed, 2 the command line or a setting is wrong
//! (nothing was run); a comparison that was stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.

// Tests print why they were skipped.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

mod command;

use punctual_lab::limits::make_file_size_limit_an_error;
use std::process::ExitCode;

fn main() -> ExitCode {
    make_file_size_limit_an_error();
    command::run(&std::env::args_os().collect::<Vec<_>>())
}
