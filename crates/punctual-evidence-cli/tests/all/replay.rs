//! The published measurements as a person or a script replays them.

use crate::{fits_80_columns, refuses, run, stdout};
use serde_json::Value;
use std::process::Output;

fn cases(output: &Output) -> Vec<Value> {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "punctual.evidence/3");
    document["cases"].as_array().unwrap().clone()
}

#[test]
fn the_whole_table_holds_and_fits_80_columns() {
    let output = run("replay", &[]);
    let table = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{table}");
    fits_80_columns(&table);
    for expected in [
        "svi-7-busy",
        " wrong",
        "tried due-time=precise: ",
        "quoted",
        " 0 fail unexpectedly, ",
    ] {
        assert!(table.contains(expected), "{expected} is not in\n{table}");
    }
    assert!(!table.contains("FAILS"), "{table}");
}

#[test]
fn json_has_the_published_beside_the_simulated() {
    let output = run("replay", &["--json", "--source", "svi"]);
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
    let output = run("replay", &["--json", "--case", "sil-due-half-nt"]);
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
    let output = run(
        "replay",
        &[&["--rule", "due-time=precise"], &chosen[..]].concat(),
    );
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
    let json = run(
        "replay",
        &[
            "--json",
            "--rule",
            "due-time=precise",
            "--case",
            "svi-7-busy",
        ],
    );
    assert_eq!(json.status.code(), Some(3));
    assert_eq!(cases(&json)[0]["holds"], false);
}

#[test]
fn every_run_prints_the_same() {
    let arguments = ["--case", "grc-2004-8", "--json"];
    assert_eq!(
        run("replay", &arguments).stdout,
        run("replay", &arguments).stdout
    );
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    refuses(
        "replay",
        &["--rule", "due-time"],
        "--rule",
        "rules are lattice, due-time",
    );
    refuses(
        "replay",
        &["--rule", "due=coarse"],
        "--rule",
        "rules are lattice, due-time",
    );
    refuses(
        "replay",
        &["--rule", "due-time=early"],
        "--rule",
        "coarse or precise",
    );
    refuses("replay", &["--case", "svi-8-busy"], "--case", "svi-7-busy");
    refuses(
        "replay",
        &["--source", "MSDN"],
        "--source",
        "there are AQA, DOC, EPC, GRC, MIC, MSG, OJN, QT, SIL, SPD, SPN, SVI, VD",
    );
    refuses(
        "replay",
        &["--source", "VD", "--case", "svi-7-1"],
        "--case",
        "there are vd-xp-queue-100",
    );
}

#[test]
fn a_rule_has_one_value() {
    let twice = ["--rule", "due-time=coarse", "--rule", "due-time=precise"];
    refuses("replay", &twice, "--rule", "given twice");
}

#[test]
fn what_is_open_is_predicted_in_every_format() {
    let text = stdout(&run("hypotheses", &[]));
    fits_80_columns(&text);
    for expected in [
        "Predictions, for which",
        "Open rules, and what",
        "  due-time=precise ",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    let json: Value = serde_json::from_slice(&run("hypotheses", &["--json"]).stdout).unwrap();
    assert_eq!(json["schema"], "punctual.hypotheses/1");
    assert!(json["hypotheses"][0]["rule"].is_string());
    let changed = ["--rule", "idle-expiry=hold", "--json"];
    let changed: Value = serde_json::from_slice(&run("hypotheses", &changed).stdout).unwrap();
    assert_ne!(changed["predictions"], json["predictions"]);
    assert_eq!(changed["rules_changed"][0], "idle-expiry=hold");
}

#[test]
fn a_case_that_fixes_a_rule_is_named() {
    let text = stdout(&run("fixes", &["--case", "svi-7-busy"]));
    fits_80_columns(&text);
    assert!(text.contains("svi-7-busy alone"), "{text}");
    let json = run("fixes", &["--case", "svi-7-busy", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["schema"], "punctual.fixes/1");
    let rules = json["rules"].as_array().unwrap().iter();
    let mut others = rules.flat_map(|rule| rule["others"].as_array().unwrap());
    assert!(others.any(|other| other["hangs_on"] == "svi-7-busy"));
    refuses("fixes", &["--case", "svi-8-busy"], "--case", "svi-7-busy");
}

#[test]
fn tables_are_markdown_and_csv_too() {
    for (command, title, head) in [
        (
            "replay",
            "### Published measurements",
            "source,case,variation,",
        ),
        ("hypotheses", "### What is open", "version,predicted,rule,"),
        (
            "fixes",
            "### Which published measurement",
            "rule,version,value,",
        ),
    ] {
        let arguments: &[&str] = match command {
            "hypotheses" => &[],
            _ => &["--source", "DOC"],
        };
        let markdown = stdout(&run(command, &[arguments, &["--markdown"]].concat()));
        assert!(
            markdown.contains(title) && markdown.contains("\n|---|"),
            "{markdown}"
        );
        let csv = stdout(&run(command, &[arguments, &["--csv"]].concat()));
        assert!(csv.starts_with(head) && csv.lines().count() > 1, "{csv}");
    }
}
