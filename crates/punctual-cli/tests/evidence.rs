//! `punctual evidence` as a person or a script meets it.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_punctual"));
    command.arg("evidence").args(arguments).stdin(Stdio::null());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn cases(output: &Output) -> Vec<Value> {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "punctual.evidence/1");
    document["cases"].as_array().unwrap().clone()
}

#[test]
fn the_whole_table_holds_and_fits_80_columns() {
    let output = run(&[]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    for line in table.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(!line.contains('\u{1b}'), "{line:?}");
    }
    for expected in [
        "svi-7-busy",
        "expected to fail",
        "not replayed",
        "quoted",
        "Predictions: nobody",
        " 0 fail, ",
    ] {
        assert!(table.contains(expected), "{expected} is not in\n{table}");
    }
    assert!(!table.contains("FAILS"), "{table}");
}

#[test]
fn json_has_the_published_beside_the_simulated() {
    let output = run(&["--json", "--source", "svi"]);
    assert_eq!(output.status.code(), Some(0));
    let cases = cases(&output);
    let case = |id: &str| cases.iter().find(|case| case["id"] == id).unwrap();
    let busy = case("svi-7-busy");
    assert_eq!(busy["source"], "SVI");
    assert_eq!(busy["published"], "mean 1 ±0.02");
    assert!(
        busy["simulated"].as_str().unwrap().starts_with("1.0"),
        "{busy}"
    );
    assert_eq!(busy["holds"], true);
    assert!(busy["expected_to_fail"].is_null() && busy["not_replayed"].is_null());
    assert_eq!(busy["statements"][0]["version"], "windows-7");
    let quoted = case("svi-watts");
    assert!(
        quoted["holds"].is_null() && quoted["not_replayed"].is_string(),
        "{quoted}"
    );
}

#[test]
fn json_says_why_a_case_is_expected_to_fail() {
    let output = run(&["--json", "--case", "sil-due-half-nt"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "what is known to fail is no failure"
    );
    let cases = cases(&output);
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0]["holds"], false);
    assert!(
        cases[0]["expected_to_fail"]
            .as_str()
            .unwrap()
            .contains("C2 and C9")
    );
}

#[test]
fn a_changed_rule_breaks_numbers_and_the_exit_status_says_so() {
    let chosen = ["--case", "svi-7-busy", "--case", "svi-7-1"];
    let output = run(&[&["--rule", "due-time=precise"], &chosen[..]].concat());
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{table}");
    assert!(
        table.contains("due-time=precise"),
        "the title says so: {table}"
    );
    assert!(
        table.contains("2.0000") && table.contains("FAILS 4 of 4"),
        "{table}"
    );
    let json = run(&[
        "--json",
        "--rule",
        "due-time=precise",
        "--case",
        "svi-7-busy",
    ]);
    assert_eq!(json.status.code(), Some(3));
    assert_eq!(cases(&json)[0]["holds"], false);
}

#[test]
fn every_run_prints_the_same() {
    let arguments = ["--case", "grc-2004-8", "--json"];
    assert_eq!(run(&arguments).stdout, run(&arguments).stdout);
}

/// A refusal comes before anything runs, names the flag, and says what would be right.
#[track_caller]
fn refuses(arguments: &[&str], flag: &str, hint: &str) {
    let output = run(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(flag), "{arguments:?}: {message}");
    assert!(message.contains(hint), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    refuses(
        &["--rule", "due-time"],
        "--rule",
        "rules are lattice, due-time",
    );
    refuses(
        &["--rule", "due=coarse"],
        "--rule",
        "rules are lattice, due-time",
    );
    refuses(&["--rule", "due-time=early"], "--rule", "coarse or precise");
    refuses(&["--case", "svi-8-busy"], "--case", "svi-7-busy");
    refuses(
        &["--source", "MSDN"],
        "--source",
        "there are DOC, GRC, SIL, SVI, VD",
    );
    refuses(
        &["--source", "VD", "--case", "svi-7-1"],
        "--case",
        "there are vd-xp-queue-100",
    );
}

#[test]
fn a_rule_has_one_value() {
    let twice = ["--rule", "due-time=coarse", "--rule", "due-time=precise"];
    refuses(&twice, "--rule", "given twice");
}

#[test]
fn help_fits_80_columns_and_shows_examples() {
    let help = text(&run(&["--help"]).stdout);
    assert!(
        help.contains("Examples:") && help.contains("Exit status:"),
        "{help}"
    );
    assert!(
        help.lines().all(|line| line.chars().count() <= 80),
        "{help}"
    );
}
