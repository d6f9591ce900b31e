//! Text from elsewhere does nothing to a terminal.

use crate::{folder, run, stderr};
use std::fs;

const HOSTILE: &str = "\u{1b}[35m\r\nFORGED\u{9b}\u{202e}";

#[test]
fn what_is_refused_is_quoted_as_it_is_shown() {
    for (command, arguments) in [
        ("replay", ["--source", HOSTILE]),
        ("replay", ["--case", HOSTILE]),
        ("replay", ["--rule", HOSTILE]),
        ("fixes", ["--case", HOSTILE]),
        ("settle", ["--on", HOSTILE]),
        ("settle", ["--from", HOSTILE]),
        ("settle", ["--save", HOSTILE]),
    ] {
        let error = stderr(&run(command, &arguments));
        let is_shown = |shown: char| shown == '\n' || !shown.is_control() && shown != '\u{202e}';
        assert!(error.chars().all(is_shown), "{arguments:?}: {error:?}");
        assert!(!error.contains("\nFORGED"), "{arguments:?}: {error}");
    }
}

#[test]
fn a_file_that_is_no_recording_is_refused_with_its_name() {
    let file = folder("hostile").join("broken.json");
    for text in ["", "{}", "[1, 2", "{\"schema\": \"\u{1b}[35m\"}"] {
        fs::write(&file, text).unwrap();
        let output = run("settle", &["--from", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        let error = stderr(&output);
        assert!(
            error.contains("broken.json") && !error.contains('\u{1b}'),
            "{error:?}"
        );
    }
}
