//! `punctual watch` as far as it does not watch: its settings, and a build without it.

use crate::command::Punctual;
#[cfg(feature = "watch")]
use crate::command::{fits_80_columns, folder};
#[cfg(feature = "watch")]
use std::fs;

const WATCH: Punctual = Punctual(&["watch"]);

#[cfg(not(feature = "watch"))]
#[test]
fn a_build_without_it_says_how_to_build_it() {
    for arguments in [&[][..], &["--help"], &["--check"], &["--rate", "5"]] {
        WATCH.refuses(arguments, "feature `watch`", "--features watch");
    }
    let help = Punctual(&[]).text(&["--help"]);
    assert!(!help.contains("watch"), "{help}");
}

#[cfg(feature = "watch")]
#[test]
fn the_help_fits_and_names_every_setting() {
    let help = WATCH.text(&["--help"]);
    fits_80_columns(&help);
    for flag in ["--processors", "--listen", "--explain-late", "--config"] {
        assert!(help.contains(flag), "{flag}");
    }
    assert!(Punctual(&[]).text(&["--help"]).contains("watch"));
}

#[cfg(feature = "watch")]
#[test]
fn checked_settings_are_shown_as_a_file_that_is_read_again() {
    let file = folder("watch-check").join("watch.conf");
    let shown = WATCH.text(&[
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
    assert_eq!(WATCH.text(&["--check", "--config", file]), shown);
    let faster = WATCH.text(&["--check", "--config", file, "--rate", "30"]);
    assert_eq!(faster, shown.replace("20", "30"));
}

#[cfg(feature = "watch")]
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
            "--pin",
            "cannot be used",
        ),
        (
            &["--processors", "65000"],
            "--processors",
            "no processor 65000",
        ),
        (&["--method", "spin"], "--method", "must not"),
        (&["--listen", "9836"], "--listen", "127.0.0.1:9836"),
        (&["--listen", "none"], "--listen", "tell nobody"),
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
        WATCH.refuses(arguments, flag, hint);
    }
}
