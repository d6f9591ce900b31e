//! Text from elsewhere is shown, and does nothing to a terminal.

use super::{text, watch};

const HOSTILE: &str = "\u{1b}[35m\r\nFORGED\u{9b}\u{202e}";
const SHOWN: &str = r"\u{1b}[35m\r\nFORGED\u{9b}\u{202e}";

#[test]
fn arguments_are_quoted_and_do_nothing() {
    for arguments in [
        &[HOSTILE][..],
        &["--method", HOSTILE],
        &["--listen", HOSTILE],
        &["--rate", HOSTILE],
        &["--processors", HOSTILE],
        &["--budget", HOSTILE],
        &["--explain-late", HOSTILE],
        &["--keep", HOSTILE],
        &["--keep-bytes", HOSTILE],
        &["--config", &format!("/nowhere/{HOSTILE}")],
        &["compare", HOSTILE],
        &["compare", "--prometheus", HOSTILE],
        &["compare", "--match", HOSTILE],
        &["compare", "--percentile", HOSTILE],
        &["compare", "--window", HOSTILE],
        &["completions", HOSTILE],
        &["completions", "man", &format!("/nowhere/{HOSTILE}")],
    ] {
        // As if it printed to a terminal.
        let output = watch(arguments).env("CLICOLOR_FORCE", "1").output();
        let output = output.unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        // The parser's own styles.
        let mut said = String::from_utf8(output.stderr).unwrap();
        for style in ["0", "1", "4", "31", "32", "33"] {
            said = said.replace(&format!("\u{1b}[{style}m"), "");
        }
        assert!(said.contains(SHOWN), "{arguments:?}: {said}");
        let is_shown = |shown: char| shown == '\n' || !(shown.is_control() || shown == '\u{202e}');
        assert!(said.chars().all(is_shown), "{said:?}");
    }
}

#[test]
fn folders_of_settings_are_shown() {
    let shown = text(&[
        "--check",
        "--explain-late",
        "5ms",
        "--folder",
        HOSTILE,
        "--textfile",
        HOSTILE,
    ]);
    assert!(shown.contains(&format!("folder = {SHOWN}\n")), "{shown}");
    assert!(shown.contains(&format!("textfile = {SHOWN}\n")), "{shown}");
}
