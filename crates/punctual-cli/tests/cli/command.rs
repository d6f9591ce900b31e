//! The command, run as a person or a script runs it.

use crate::os::started::with_default_signals;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A recording from a program of an earlier version.
pub const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recordings/idle.json");

/// A report of `powercfg` that we wrote, in both its forms: with the ending `.html` or `.xml`.
#[cfg(feature = "sim")]
pub const ENERGY_REPORT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../punctual-windows/src/requesters/energy_report/tests/made-by-us"
);

/// What changes how programs print and what services do, if whoever started the tests has it.
const NOT_PASSED_ON: [&str; 15] = [
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "JOURNAL_STREAM",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_MESSAGES",
    "LINES",
    "NO_COLOR",
    "NOTIFY_SOCKET",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
];

/// A program that starts the same wherever the tests were started: at a terminal, in the background,
/// by a service.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    for variable in NOT_PASSED_ON {
        command.env_remove(variable);
    }
    with_default_signals(&mut command);
    command
}

/// The command, as [`program`] starts it.
pub fn punctual() -> Command {
    program(env!("CARGO_BIN_EXE_punctual"))
}

/// The command with its first arguments, which all calls in a module share.
pub struct Punctual(pub &'static [&'static str]);

impl Punctual {
    /// With more arguments.
    pub fn with(&self, arguments: &[&str]) -> Command {
        let mut command = punctual();
        command.args(self.0).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.with(arguments).output().unwrap()
    }

    /// Its output when it succeeds.
    #[track_caller]
    pub fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    }

    /// Its output with `--json` when it succeeds.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let text = self.text(&[arguments, &["--json"]].concat());
        serde_json::from_str(&text).unwrap()
    }

    /// Checks a refusal: it comes before anything runs, names the flag, and says what would be
    /// right.
    #[track_caller]
    pub fn refuses(&self, arguments: &[&str], flag: &str, hint: &str) {
        let refused = self.run(arguments);
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(refused.stdout.is_empty());
        assert!(said.contains(flag) && said.contains(hint), "{said}");
    }
}

#[track_caller]
pub fn fits_80_columns(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(
            !line.contains('\u{1b}'),
            "colour is for terminals: {line:?}"
        );
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
