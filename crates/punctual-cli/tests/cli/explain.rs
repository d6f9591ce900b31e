//! `punctual explain` of recorded traces, which works on any system.

use crate::command::{Punctual, fits_80_columns};
use serde_json::Value;
use std::path::Path;

const EXPLAIN: Punctual = Punctual(&["explain"]);

fn recorded(name: &str) -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let path = crates.join("punctual-trace/tests/traces").join(name);
    path.into_os_string().into_string().unwrap()
}

const RECORDINGS: [&str; 5] = [
    "idle.trace",
    "busy.trace",
    "waking-before-switch.trace",
    "exits.trace",
    "overrun.trace",
];

/// Explanations count, add up, and name their causes.
pub fn check(explanation: &Value) {
    assert_eq!(explanation["schema"], "punctual.explanation/2");
    let count = |key: &str| explanation[key].as_u64().unwrap();
    let wakeups = explanation["wakeups"].as_array().unwrap();
    assert_eq!(count("of"), wakeups.len() as u64);
    let mut explained = 0;
    for up in wakeups {
        if up["verdict"] == "exact" || up["verdict"] == "merged" {
            explained += 1;
            let segments = up["segments"].as_array().unwrap();
            let sum: u64 = segments
                .iter()
                .map(|part| part["ns"].as_u64().unwrap())
                .sum();
            assert_eq!(up["lateness_ns"], sum);
        }
    }
    assert_eq!(count("exact") + count("merged"), explained);
    let causes = explanation["causes"].as_array().unwrap();
    let total: u64 = causes
        .iter()
        .map(|row| row["total_ns"].as_u64().unwrap())
        .sum();
    assert_eq!(explanation["lateness_ns"], total);
    assert!(explanation["processors"].is_array());
}

#[test]
fn recordings_are_explained_anywhere() {
    for name in RECORDINGS {
        check(&EXPLAIN.json(&["--from", &recorded(name)]));
    }
}

#[test]
fn the_report_fits_80_columns_and_has_everything() {
    for name in RECORDINGS {
        let text = EXPLAIN.text(&["--from", &recorded(name)]);
        fits_80_columns(&text);
        for part in [
            "explained",
            "Where the lateness went",
            "latest",
            "█",
            "why:",
        ] {
            assert!(text.contains(part), "{name} lacks {part}: {text}");
        }
    }
    let overrun = EXPLAIN.text(&["--from", &recorded("overrun.trace")]);
    assert!(overrun.contains("events were lost"), "{overrun}");
}

#[test]
fn what_cannot_be_is_refused_before_anything_runs() {
    let no_recording = recorded("README.md");
    for (arguments, said) in [
        (vec!["--from", "/nowhere/late.trace"], "--from"),
        (vec!["--from", &no_recording], "no recording of a trace"),
        (vec!["--from", &no_recording, "--pin", "0"], "--from"),
        (vec!["--pid", "1", "--load", "cpu"], "--load"),
        (vec!["--pid", "1", "--", "true"], "--pid"),
        (
            vec!["--method", "dreaming"],
            "there is no method 'dreaming'",
        ),
        (vec!["--pin", "9999"], "--pin"),
        (vec!["--save", "/nowhere/late.trace"], "--save"),
    ] {
        EXPLAIN.refuses(&arguments, said, "");
    }
}
