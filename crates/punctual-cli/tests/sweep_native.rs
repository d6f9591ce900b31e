//! `punctual sweep --native`, where a thread has timer slack and where it has none. Nothing here
//! depends on how fast anything is.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn sweep(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_punctual"));
    command.arg("sweep").args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn every_slack_has_a_row_and_none_ends_early_or_there_is_no_slack() {
    let output = sweep(&["--native", "--slack", "100us,1ns", "--json"]);
    if !output.status.success() {
        assert_eq!(output.status.code(), Some(2));
        let message = stderr(&output);
        assert!(message.contains("no timer slack"), "{message}");
        return;
    }
    let swept: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(swept["schema"], "punctual.slack-sweep/1");
    assert_eq!(swept["interrupted"], false);
    let rows = swept["rows"].as_array().unwrap();
    let slacks: Vec<_> = rows.iter().map(|row| &row["slack_ns"]).collect();
    assert_eq!(slacks, [1, 100_000]);
    for row in rows {
        for call in ["nanosleep", "clock_nanosleep"] {
            let counts = row[call]["histogram"]["counts_by_ns"].as_array().unwrap();
            assert!(counts[0][0].as_u64().unwrap() >= 1_000_000, "{row}");
            let total: u64 = counts.iter().map(|pair| pair[1].as_u64().unwrap()).sum();
            assert_eq!(total, 200);
        }
    }
}

#[test]
fn the_picture_fits_80_columns() {
    let output = sweep(&["--native", "--slack", "1ns", "--slack", "50us"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert_eq!(line, line.trim_end());
    }
    assert!(text.contains("clock_nanosleep") || text.is_empty());
}

#[test]
fn what_cannot_be_asked_is_refused() {
    // Without simulated machines, none can be named.
    let on = match cfg!(feature = "sim") {
        true => "cannot be used with",
        false => "feature `sim`",
    };
    for (arguments, flag, hint) in [
        (&["--native", "--on", "windows-7"][..], "--", on),
        (
            &["--native", "--with", "sleepers=2"],
            "--native",
            "cannot be used with",
        ),
        (&["--slack", "1ns"], "--native", "required"),
        (&["--quick"], "--native", "required"),
        (
            &["--native", "--quick", "--interval", "1ms"],
            "--interval",
            "cannot be used with",
        ),
        (&["--native", "--slack", "0ns"], "--slack", "least is 1ns"),
        (
            &["--native", "--slack", "1ms..1us"],
            "--slack",
            "smaller first",
        ),
        (&["--native", "--slack", "1ns..1s"], "--slack", "at most 20"),
    ] {
        let output = sweep(arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains(flag) && message.contains(hint),
            "{arguments:?}: {message}"
        );
    }
}

/// The figures of a table as spreadsheets and issue trackers read them.
#[test]
fn a_quick_sweep_is_also_a_sheet_and_a_page() {
    let quick = ["--native", "--quick", "--slack", "1ns"];
    for (format, begins) in [
        ("--csv", "slack_ns,sleep_ns,"),
        ("--markdown", "### Sleeping"),
    ] {
        let output = sweep(&[&quick[..], &[format]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.starts_with(begins) || output.status.code() == Some(2),
            "{text}"
        );
    }
}

/// A child that is to measure under its parent's request says why it cannot, and ends.
#[test]
fn a_child_that_cannot_measure_says_why() {
    if std::env::consts::OS == "windows" {
        return;
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_punctual"))
        .args(["load-child", "sweep:1000000:1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // At the end of this pipe it would end without a word.
    let held = child.stdin.take();
    let child = child.wait_with_output().unwrap();
    drop(held);
    assert_eq!(child.status.code(), Some(1));
    assert!(child.stdout.is_empty());
    let message = stderr(&child);
    assert!(
        message.contains("no timer interval to ask for"),
        "{message}"
    );
}

/// What another system would vary is refused with what this one has.
#[test]
fn what_only_another_system_has_is_refused() {
    let cases: &[(&[&str], &str, &str)] = if std::env::consts::OS == "windows" {
        &[(&["--slack", "1ns"], "--slack", "--interval varies")]
    } else {
        &[
            (&["--interval", "1ms"], "--interval", "--slack varies"),
            (&["--by", "self"], "--by", "--slack varies"),
        ]
    };
    for (arguments, flag, hint) in cases {
        let output = sweep(&[&["--native"], *arguments].concat());
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains(flag) && message.contains(hint),
            "{message}"
        );
    }
}
