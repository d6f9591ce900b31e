//! `punctual measure` of the machine that the tests run on.

use crate::command::{Punctual, fits_80_columns, punctual, stderr};
use serde_json::Value;
use std::process::Stdio;

const MEASURE: Punctual = Punctual(&["measure"]);

#[test]
fn tables_fit_80_columns_and_have_no_colour_in_a_pipe() {
    let text = MEASURE.text(&["--count", "3", "--period", "200us", "--long"]);
    fits_80_columns(&text);
    for expected in [
        "Machine",
        "p99.9",
        "missed",
        "cpu",
        "punctual-exact",
        "per wake",
        "├",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn the_answer_is_the_first_line_and_one_table_follows() {
    let text = MEASURE.text(&["--count", "3", "--period", "200us"]);
    let mut lines = text.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with("Can't tell how late punctual wakes: it waited only 3 times"));
    assert!(text.trim_end().ends_with("--long"), "{text}");
    assert!(text.lines().count() <= 4 + 25, "{text}");
    assert!(
        !text.contains("note: ") && !text.contains("Machine"),
        "{text}"
    );
}

#[test]
fn help_fits_80_columns_and_shows_examples() {
    let text = MEASURE.text(&["--help"]);
    assert!(text.contains("Examples:"));
    fits_80_columns(&text);
}

#[test]
fn a_bound_decides_the_exit_status() {
    let measure = |bound| {
        let methods = ["--method", "punctual-coarse", "--method", "spin"];
        let rest = ["--count", "3", "--json", "--fail-if", bound];
        MEASURE.run(&[&methods[..], &rest].concat())
    };
    for kept in [
        "max>500s",
        "punctual-coarse.p99.9>500s",
        "missed>999999",
        "early>0",
    ] {
        assert_eq!(measure(kept).status.code(), Some(0), "{kept}");
    }
    for broken in ["punctual-coarse.max>0ns", "max>0ns", "spin.processor>0%"] {
        let output = measure(broken);
        assert_eq!(output.status.code(), Some(3), "{broken}");
        assert!(stderr(&output).contains(broken), "{}", stderr(&output));
        assert!(
            serde_json::from_slice::<Value>(&output.stdout).is_ok(),
            "{broken}"
        );
    }
}

#[test]
fn a_duration_is_shared_out_among_the_methods() {
    let methods = ["--method", "punctual-coarse", "--method", "spin"];
    let recording = MEASURE.json(&[&methods[..], &["--duration", "600ms"]].concat());
    // 300 periods each, of which 50 are the warm-up.
    assert_eq!(recording["plan"]["count"], 250);
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let mut child = punctual()
        .args(["measure", "--count", "3", "--method", "spin"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let message = stderr(&child.wait_with_output().unwrap());
    assert!(!message.contains("panicked"), "{message}");
}
