//! The command, run as a person or a script runs it.

mod compare;
mod hostile;
mod settings;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::{env, fs};

/// What changes how programs print and what services do, if whoever started the tests has it.
const NOT_PASSED_ON: [&str; 9] = [
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "JOURNAL_STREAM",
    "NO_COLOR",
    "NOTIFY_SOCKET",
    "STATE_DIRECTORY",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
];

/// The command, which starts the same wherever the tests were started. It may be the argument of another program.
pub fn started_by(mut starter: Command) -> Command {
    starter.stdin(Stdio::null());
    for variable in NOT_PASSED_ON {
        starter.env_remove(variable);
    }
    starter
}

/// The command with these arguments.
fn watch(arguments: &[&str]) -> Command {
    let mut command = started_by(Command::new(env!("CARGO_BIN_EXE_punctual-watch")));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    watch(arguments).output().unwrap()
}

/// What it prints when it succeeds.
#[track_caller]
fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks a refusal: it comes before anything runs, names the flag, and says what would be right.
#[track_caller]
fn refuses(arguments: &[&str], flag: &str, hint: &str) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    let said = stderr(&output);
    assert!(said.contains(flag) && said.contains(hint), "{said}");
}

#[track_caller]
fn fits_80_columns(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(
            !line.contains('\u{1b}'),
            "colour is for terminals: {line:?}"
        );
    }
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
