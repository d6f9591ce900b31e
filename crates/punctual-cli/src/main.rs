//! The command `punctual`.
//!
//! Exit status: 0 done, 1 the run failed, 2 the command line is wrong (nothing was run), 3 a bound
//! of `--fail-if` was broken, 130 stopped by Ctrl-C.

mod args;
mod bound;
mod companion;
mod evidence;
mod explain;
mod failure;
mod intervals;
mod machines;
mod measure;
mod output;
mod quantity;
mod run;
mod show;
mod sweep;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Measure(args) => measure::measure(&args),
        Command::Sweep(args) => sweep::sweep(&args),
        Command::Machines(args) => machines::machines(&args),
        Command::Evidence(args) => evidence::evidence(args),
        Command::Explain(args) => explain::explain(&args),
        Command::LoadChild(args) => Ok(punctual_lab::load::child::run(&args.kind)),
    };
    outcome.unwrap_or_else(Failure::report)
}
