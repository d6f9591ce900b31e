//! Commands for Windows, or Wine.

#![cfg(windows)]

use crate::command::{Punctual, stderr};

const RESOLUTION: Punctual = Punctual(&["resolution"]);

/// Works with any interval: under Wine it never changes.
#[test]
fn the_interval_is_told_and_lent_to_a_command() {
    let now = RESOLUTION.json(&[]);
    let ns = |key: &str| now["interval"][key].as_u64().unwrap();
    assert!(ns("minimum_ns") <= ns("current_ns") && ns("current_ns") <= ns("maximum_ns"));
    assert!(RESOLUTION.text(&[]).contains("Timer interval"));
    let held = RESOLUTION.run(&["hold", "1ms", "--", "cmd", "/c", "exit", "7"]);
    assert_eq!(held.status.code(), Some(7), "the command's exit status");
    assert!(held.stdout.is_empty(), "standard output is the command's");
    assert!(stderr(&held).contains("in force"));
    let missing = ["hold", "1ms", "--", "no-such-command"];
    RESOLUTION.refuses(&missing, "COMMAND", "cannot run");
    let vary = [
        "measure",
        "--for",
        "1ms",
        "--count",
        "8",
        "--vary",
        "request=1ms,2ms",
    ];
    let varied = Punctual(&vary).json(&[]);
    let points = varied["points"].as_array().unwrap();
    assert_eq!(points.len(), 2);
    assert!(
        points
            .iter()
            .all(|point| point["interval_ns"].as_u64() > Some(0))
    );
}

/// A condition of another system is refused, and the error names this system's own.
#[test]
fn there_is_no_slack_to_vary() {
    let measure = Punctual(&["measure"]);
    measure.refuses(&["--vary", "slack=1ns"], "--vary", "request=1ms..15ms");
}
