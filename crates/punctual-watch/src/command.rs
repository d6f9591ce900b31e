//! From the command line to a watch, or to a comparison of watches.

mod compare;
mod watch;

use clap::{CommandFactory, Parser, Subcommand};
use compare::CompareArgs;
use punctual_command::arguments;
use punctual_command::completions::{self, CompletionsArgs};
use std::ffi::OsString;
use std::process::ExitCode;
use watch::WatchArgs;

/// Watch how late this machine wakes, for months, and tell Prometheus.
///
/// On each processor a thread waits a hundred times a second and counts how late it woke. Beside
/// that it tells what the system knows: stolen time, pressure, quotas, timer slack, the clock
/// source and more. Whoever opens http://127.0.0.1:9836/ sees a page; Prometheus reads /metrics.
///
/// It runs until Ctrl-C or SIGTERM, and uses at most half a percent of each processor. It needs no
/// root. SIGHUP makes it read the file of --config again.
#[derive(Debug, Parser)]
#[command(name = "punctual-watch", version, max_term_width = 80)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
struct Args {
    #[command(flatten)]
    watch: WatchArgs,

    #[command(subcommand)]
    instead: Option<Instead>,
}

/// What it does instead of watching.
#[derive(Debug, Subcommand)]
enum Instead {
    Compare(CompareArgs),
    #[command(after_long_help = COMPLETIONS)]
    Completions(CompletionsArgs),
}

const EXAMPLES: &str = "\
Examples:
  punctual watch
  punctual watch --processors 0-3 --rate 50
  punctual watch --listen 0.0.0.0:9836 --listen unix:/run/punctual.sock
  punctual watch --listen none --textfile /var/lib/prometheus/node-exporter
  sudo punctual watch --explain-late 5ms --folder /var/lib/punctual-watch
  punctual watch --config /etc/punctual-watch.conf --check

Exit status: 0 it ended because it was asked to, 1 it could not start, 2 a setting is wrong.";

const COMPLETIONS: &str = "\
Examples:
  punctual-watch completions bash >~/.local/share/bash-completion/completions/punctual-watch
  punctual-watch completions fish >~/.config/fish/completions/punctual-watch.fish
  punctual-watch completions man | man -l -
  punctual-watch completions man ~/.local/share/man/man1";

/// Does what the command line says.
pub fn run(words: &[OsString]) -> ExitCode {
    let args: Args = match arguments::parse(words) {
        Ok(args) => args,
        // Help and version also come as errors of the parser.
        Err(instead) => return arguments::tell(&instead),
    };
    punctual_command::run(|stop| match args.instead {
        None => watch::watch(words, args.watch.check, stop),
        Some(Instead::Compare(args)) => compare::compare(&args),
        Some(Instead::Completions(args)) => completions::print(&args, Args::command(), stop),
    })
}
