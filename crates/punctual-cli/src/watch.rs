//! `punctual watch`: becomes the program `punctual-watch`. That is built and installed apart, because it needs a web server.

use crate::os;
use punctual_command::failure::Failure;
use punctual_data::escape;
use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Watch how late this machine wakes, for months, and tell Prometheus; compare machines.
///
/// This is a program of its own, punctual-watch: 'punctual watch --help' is its help. It is looked for
/// beside this program, and then in PATH.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct WatchArgs {
    /// The arguments of punctual-watch
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Becomes the program, or says how it is installed.
pub fn watch(args: &WatchArgs) -> Result<ExitCode, Failure> {
    let name = format!("punctual-watch{EXE_SUFFIX}");
    let beside = env::current_exe().map(|own| own.with_file_name(&name));
    for program in beside.into_iter().chain([PathBuf::from(name)]) {
        match os::become_program(Command::new(&program).args(&args.words)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            ended => {
                let program = escape::path(&program);
                let refused = |error| Failure::run(format!("cannot start {program}: {error}"));
                return ended.map_err(refused);
            }
        }
    }
    Err(Failure::run(
        "the watch is a program of its own, punctual-watch, and is neither beside this one nor in PATH; to install \
         it: cargo install --path crates/punctual-watch",
    ))
}
