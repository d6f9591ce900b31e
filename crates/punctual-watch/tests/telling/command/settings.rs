//! What it does without watching: its help, and its settings.

use super::{fits_80_columns, folder, refuses, text};
use std::fs;

#[test]
fn the_help_fits_and_names_every_setting() {
    let help = text(&["--help"]);
    fits_80_columns(&help);
    for flag in [
        "budget",
        "check",
        "config",
        "explain-late",
        "folder",
        "keep",
        "keep-bytes",
        "listen",
        "method",
        "processors",
        "rate",
        "textfile",
    ] {
        let is_named =
            |line: &str| line.trim_start().split(' ').next() == Some(&format!("--{flag}"));
        assert!(help.lines().any(is_named), "{flag}");
    }
    assert!(help.contains("--pin") && help.contains("compare"));
}

#[test]
fn checked_settings_are_shown_as_a_file_that_is_read_again() {
    let file = folder("watch-check").join("watch.conf");
    let shown = text(&[
        "--check",
        "--rate",
        "20",
        "--listen",
        "none",
        "--textfile",
        "x",
    ]);
    assert_eq!(
        shown,
        "method = punctual-coarse\nrate = 20\nbudget = 0.005\nlisten = none\ntextfile = x\n"
    );
    fs::write(&file, &shown).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(text(&["--check", "--config", file]), shown);
    let faster = text(&["--check", "--config", file, "--rate", "30"]);
    assert_eq!(faster, shown.replace("20", "30"));
}

#[test]
fn what_is_wrong_is_refused_before_anything_runs() {
    let file = folder("watch-refused").join("watch.conf");
    fs::write(&file, "# speed\nrate = 20\nspeed = 3\n").unwrap();
    let file = file.to_str().unwrap();
    for (arguments, flag, hint) in [
        (&["--rate", "9"][..], "--rate", "10 to 1000"),
        (&["--budget", "50%"], "--budget", "0.01% to 10%"),
        (
            &["--processors", "0", "--pin", "0"],
            "--processors",
            "cannot be used",
        ),
        (
            &["--processors", "65000"],
            "--processors",
            "no processor 65000",
        ),
        (&["--method", "spin"], "--method", "must not"),
        (&["--listen", "9836"], "--listen", "127.0.0.1:9836"),
        (&["--listen", "none"], "--listen", "tell nothing"),
        (&["--keep", "3"], "--keep", "--explain-late"),
        (&["--explain-late", "1us"], "--explain-late", "100us"),
        (
            &["--config", file],
            "watch.conf, line 3",
            "no setting 'speed'",
        ),
        (&["--config", "/nowhere"], "--config", "cannot read"),
        (&["--quick"], "--quick", "unexpected"),
    ] {
        refuses(arguments, flag, hint);
    }
}
