//! `punctual evidence` as a person or a script uses it.

use crate::command::{Punctual, fits_80_columns, stdout};
use serde_json::Value;
use std::process::Output;

const EVIDENCE: Punctual = Punctual(&["evidence"]);

fn cases(output: &Output) -> Vec<Value> {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "punctual.evidence/2");
    document["cases"].as_array().unwrap().clone()
}

#[test]
fn the_whole_table_holds_and_fits_80_columns() {
    let output = EVIDENCE.run(&[]);
    let table = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{table}");
    fits_80_columns(&table);
    for expected in [
        "svi-7-busy",
        " wrong",
        "tried due-time=precise: ",
        "quoted",
        "Predictions, for which",
        "Open rules, and what",
        "  due-time=precise ",
        " 0 fail unexpectedly, ",
    ] {
        assert!(table.contains(expected), "{expected} is not in\n{table}");
    }
    assert!(!table.contains("FAILS"), "{table}");
}

#[test]
fn json_has_the_published_beside_the_simulated() {
    let output = EVIDENCE.run(&["--json", "--source", "svi"]);
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
    let output = EVIDENCE.run(&["--json", "--case", "sil-due-half-nt"]);
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
            .contains("the next look is a tick")
    );
}

#[test]
fn a_changed_rule_breaks_numbers_and_the_exit_status_says_so() {
    let chosen = ["--case", "svi-7-busy", "--case", "svi-7-1"];
    let output = EVIDENCE.run(&[&["--rule", "due-time=precise"], &chosen[..]].concat());
    let table = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{table}");
    assert!(
        table.contains("due-time=precise"),
        "the title says so: {table}"
    );
    assert!(
        table.contains("2.0000") && table.contains("FAILS 4/4"),
        "{table}"
    );
    let json = EVIDENCE.run(&[
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
    assert_eq!(
        EVIDENCE.run(&arguments).stdout,
        EVIDENCE.run(&arguments).stdout
    );
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    EVIDENCE.refuses(
        &["--rule", "due-time"],
        "--rule",
        "rules are lattice, due-time",
    );
    EVIDENCE.refuses(
        &["--rule", "due=coarse"],
        "--rule",
        "rules are lattice, due-time",
    );
    EVIDENCE.refuses(&["--rule", "due-time=early"], "--rule", "coarse or precise");
    EVIDENCE.refuses(&["--case", "svi-8-busy"], "--case", "svi-7-busy");
    EVIDENCE.refuses(
        &["--source", "MSDN"],
        "--source",
        "there are AQA, DOC, EPC, GRC, MIC, MSG, OJN, SIL, SPD, SPN, SVI, VD",
    );
    EVIDENCE.refuses(
        &["--source", "VD", "--case", "svi-7-1"],
        "--case",
        "there are vd-xp-queue-100",
    );
}

#[test]
fn a_rule_has_one_value() {
    let twice = ["--rule", "due-time=coarse", "--rule", "due-time=precise"];
    EVIDENCE.refuses(&twice, "--rule", "given twice");
}

#[test]
fn help_fits_80_columns_and_shows_examples() {
    let help = EVIDENCE.text(&["--help"]);
    assert!(
        help.contains("Examples:") && help.contains("Exit status:"),
        "{help}"
    );
    fits_80_columns(&help);
}
