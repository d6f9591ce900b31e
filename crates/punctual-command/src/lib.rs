//! What this project's commands share. What comes in is a command line, a signal, a file; what goes out is text, JSON, a
//! file and an exit status.
//!
//! | to change | open |
//! |---|---|
//! | how words become arguments, and what the errors quote of them | [`arguments`] |
//! | flags that every command has | [`flags`] |
//! | what Ctrl-C and its like do | [`stop`] |
//! | why a command fails, and with which exit status | [`failure`] |
//! | what is printed and written | [`output`] |
//! | which files are read, and how much of them | [`input`] |
//! | the bar that shows progress | [`progress`] |
//! | completions of shells, and manual pages | [`completions`] |

// Tests print why they were skipped.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

pub mod arguments;
pub mod completions;
pub mod failure;
pub mod flags;
pub mod input;
mod os;
pub mod output;
pub mod progress;
pub mod stop;

use failure::Failure;
use std::process::ExitCode;
use stop::Stop;

/// Listens for signals, runs a command, and reports its failure.
pub fn run(command: impl FnOnce(&Stop) -> Result<ExitCode, Failure>) -> ExitCode {
    // Before anything is started that must be ended.
    let stop = match Stop::listen() {
        Ok(stop) => stop,
        Err(failure) => return failure.report(),
    };
    let outcome = command(&stop);
    outcome.unwrap_or_else(|failure| stop.status_or(failure.report()))
}
