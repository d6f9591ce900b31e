//! The command as a person or a script uses it. No test here depends on speed.

mod documents;
mod hostile_text;
mod replay;
mod settle;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The command with a command before its arguments, with an empty standard input and no terminal.
fn run(command: &str, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_punctual-evidence"));
    for variable in [
        "CLICOLOR_FORCE",
        "COLUMNS",
        "LANG",
        "LC_ALL",
        "RUST_BACKTRACE",
    ] {
        program.env_remove(variable);
    }
    program.arg(command).args(arguments).stdin(Stdio::null());
    program.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Checks a refusal: it comes before anything runs, names the flag, and says what would be right.
#[track_caller]
fn refuses(command: &str, arguments: &[&str], flag: &str, hint: &str) {
    let output = run(command, arguments);
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(output.stdout.is_empty());
    assert!(error.contains(flag) && error.contains(hint), "{error}");
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
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn help_fits_80_columns_and_shows_examples() {
    for command in ["replay", "fixes", "hypotheses", "settle"] {
        let help = stdout(&run(command, &["--help"]));
        fits_80_columns(&help);
        assert!(
            help.contains("Examples:") && help.contains("Exit status:"),
            "{help}"
        );
    }
}
