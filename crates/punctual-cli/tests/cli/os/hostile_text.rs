//! Names that only Unix allows, and what children print.

#![cfg(all(unix, feature = "sim"))]

use crate::command::{RECORDED, folder, punctual};
use crate::hostile_text::{HOSTILE, PUNCTUAL, SHOWN, harmless, quotes, run, shows_in_all_formats};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;

/// A name with slashes is none.
fn name() -> String {
    format!("{HOSTILE}.html")
}

#[test]
fn as_the_name_of_a_recording_does_nothing() {
    let folder = folder("hostile-name");
    let file = folder.join(HOSTILE);
    fs::copy(RECORDED, &file).unwrap();
    let file = file.to_str().unwrap();
    shows_in_all_formats(&["compare", file, file]);
    let page = folder.join(name());
    let page = page.to_str().unwrap();
    assert!(run(&mut PUNCTUAL.with(&["report", page, "--from", file])).succeeded);
    let said = run(&mut PUNCTUAL.with(&["report", page, "--from", page]));
    assert!(!said.succeeded);
    fs::write(file, "{}").unwrap();
    quotes(&mut PUNCTUAL.with(&["report", page, "--from", file]));
    quotes(&mut PUNCTUAL.with(&["compare", file, file]));
    quotes(&mut PUNCTUAL.with(&["explain", "--from", file]));
    quotes(&mut PUNCTUAL.with(&["resolution", "who", "--from", file]));
}

#[test]
fn as_the_name_of_a_function_is_quoted() {
    let own = std::env::current_exe().unwrap();
    for frame in [
        HOSTILE.to_owned(),
        format!("{}:{HOSTILE}", own.display()),
        format!("/nowhere/{HOSTILE}:main"),
    ] {
        quotes(&mut PUNCTUAL.with(&["explain", "--period", "1ms", "--frame", &frame, "--", "sh"]));
    }
}

#[test]
fn bytes_that_are_no_text_are_numbers() {
    let bytes = OsStr::from_bytes(b"/nowhere/\xff\x9b\x1b");
    for arguments in [
        &["explain", "--from"][..],
        &["compare", RECORDED],
        &["report", "page.html", "--from"],
        &["resolution", "who", "--from"],
        &["completions", "man"],
    ] {
        let said = run(PUNCTUAL.with(arguments).arg(bytes));
        let shown = r"/nowhere/\xff\x9b\u{1b}";
        assert!(said.complained.contains(shown), "{}", said.complained);
    }
    // Where text is needed, there is nothing to quote.
    let said = run(PUNCTUAL.with(&["measure", "--method"]).arg(bytes));
    assert!(said.complained.contains("UTF-8"), "{}", said.complained);
}

#[test]
fn as_the_program_s_own_name_does_nothing() {
    let mut command = punctual();
    let helped = command.arg0(HOSTILE).arg("--help").output().unwrap();
    assert!(harmless(&helped.stdout).contains("Usage: punctual"));
    let refused = punctual().arg0(HOSTILE).arg("--none").output().unwrap();
    assert!(harmless(&refused.stderr).contains("Usage: punctual"));
}

#[test]
fn from_a_child_is_shown_in_one_line() {
    let prints = r"command:printf '\033]0;owned\007\033[35m\nFORGED\n' >&2; exit 3";
    let said = run(&mut PUNCTUAL.with(&["measure", "--load", prints, "--duration", "3s"]));
    assert!(!said.succeeded);
    assert!(said.complained.contains(SHOWN), "{}", said.complained);
    let commanded = ["explain", "--", "/nowhere/\u{1b}]0;owned\u{7}\u{1b}[35m"];
    assert!(!run(&mut PUNCTUAL.with(&commanded)).succeeded);
}
