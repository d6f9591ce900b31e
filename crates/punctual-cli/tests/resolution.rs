//! `punctual resolution` as a person or a script meets it: on simulated machines, with reports made
//! by us, and refused where there is nothing to ask for.

use serde_json::Value;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_punctual"));
    command
        .arg("resolution")
        .args(arguments)
        .output()
        .expect("the program can be run")
}

#[track_caller]
fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    // Paths stay in one piece.
    let is_path = |line: &&str| line.contains(['\\', '/']);
    for line in text.lines().filter(|line| !is_path(line)) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    text
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).unwrap()
}

#[track_caller]
fn refused(arguments: &[&str], flag: &str, hint: &str) {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(
        errors.contains(flag) && errors.contains(hint),
        "{arguments:?}: {errors}"
    );
}

#[test]
fn a_simulated_machine_tells_its_interval_and_who_asked() {
    let on = ["--on", "windows-10-2004", "--with", "requester=1ms"];
    let now = json(&[&on[..], &["--json"]].concat());
    assert_eq!(now["schema"], "punctual.resolution/1");
    assert_eq!(now["interval"]["maximum_ns"], 15_625_000);
    assert_eq!(now["interval"]["minimum_ns"], 500_000);
    assert_eq!(now["interval"]["current_ns"], 999_700);
    assert_eq!(now["interval"]["shares"][0]["share"], 1.0);
    let requests = now["requesters"]["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert_eq!(requests[0]["program"], "requester");
    assert_eq!(now["requesters"]["platform_interval_ns"], 15_625_000);
    let text = text(&on);
    assert!(text.contains("current  0.9997 ms"), "{text}");
    assert!(text.contains("requester (process 1)"), "{text}");
}

#[test]
fn nobody_asks_on_a_machine_of_its_own() {
    let text = text(&["--on", "windows-7"]);
    assert!(text.contains("15.625 ms  100.0 %"), "{text}");
    assert!(text.contains("nobody"), "{text}");
}

#[test]
fn a_sweep_recommends_what_is_better_than_the_least() {
    let range = ["sweep", "0.5ms..0.52ms", "--on", "windows-10-2004"];
    let swept = json(&[&range[..], &["--json", "--count", "50"]].concat());
    assert_eq!(swept["schema"], "punctual.resolution-sweep/1");
    let rows = swept["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 11);
    assert!(swept["recommended_ns"].as_u64() > Some(500_000));
    assert!(rows[0]["sleep_1"]["mean_ns"].as_u64() > rows[1]["sleep_1"]["mean_ns"].as_u64());
    let text = text(&range);
    assert!(text.contains("recommended: 0.50"), "{text}");
}

#[test]
fn a_sweep_repeats_exactly_from_its_seed() {
    let sweep = [
        "sweep",
        "1ms..2ms",
        "--step",
        "0.1ms",
        "--on",
        "windows-7",
        "--seed",
        "7",
    ];
    assert_eq!(text(&sweep), text(&sweep));
}

#[test]
fn reports_are_read_in_both_forms() {
    let folder = "../punctual-lab/src/resolution/energy_report/tests/made-by-us";
    for form in ["html", "xml"] {
        let file = format!("{folder}.{form}");
        let asked = json(&["who", "--from", &file, "--json"]);
        assert_eq!(asked["schema"], "punctual.requesters/1");
        assert_eq!(asked["requests"][0]["kind"], "kernel");
        assert_eq!(asked["requests"][1]["process_id"], 4_242);
        let text = text(&["who", "--from", &file]);
        assert!(text.contains("player.exe (process 4242)"), "{text}");
    }
}

#[test]
fn who_asks_on_a_simulated_machine() {
    let text = text(&["who", "--on", "windows-7", "--with", "requester=2ms"]);
    assert!(text.contains("2.000 ms  requester"), "{text}");
}

#[test]
fn a_system_without_an_interval_says_what_it_has_instead() {
    if std::env::consts::OS != "linux" {
        return;
    }
    assert!(text(&[]).contains("timer slack"));
    let now = json(&["--json"]);
    assert_eq!(now["interval"], Value::Null);
    assert!(now["environment"]["tick_rate_hertz"].is_u64(), "{now}");
    refused(&["hold", "0.5ms"], "INTERVAL", "timer slack");
    refused(&["hold", "1ms", "--", "true"], "INTERVAL", "timer slack");
    refused(&["sweep"], "--on", "windows-10-2004");
    refused(&["who"], "--from", "powercfg /energy");
}

/// Whatever the interval is: under Wine it never changes.
#[test]
fn a_system_with_an_interval_tells_it_and_lends_it_to_a_command() {
    if std::env::consts::OS != "windows" {
        return;
    }
    let now = json(&["--json"]);
    let ns = |key: &str| now["interval"][key].as_u64().unwrap();
    assert!(ns("minimum_ns") <= ns("current_ns") && ns("current_ns") <= ns("maximum_ns"));
    assert!(text(&[]).contains("Timer interval"));
    let held = run(&["hold", "1ms", "--", "cmd", "/c", "exit", "7"]);
    assert_eq!(held.status.code(), Some(7), "the command's exit status");
    assert!(held.stdout.is_empty(), "standard output is the command's");
    assert!(String::from_utf8(held.stderr).unwrap().contains("in force"));
    refused(
        &["hold", "1ms", "--", "no-such-command"],
        "COMMAND",
        "cannot run",
    );
    let swept = json(&[
        "sweep", "1ms..2ms", "--step", "1ms", "--count", "3", "--json",
    ]);
    assert_eq!(swept["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_wrong_is_refused_with_what_would_be_right() {
    for (arguments, flag, hint) in [
        (&["--with", "requester=1ms"][..], "--on", ""),
        (&["hold"], "INTERVAL", ""),
        (&["hold", "5"], "INTERVAL", "a unit"),
        (&["hold", "0ms"], "INTERVAL", "such as 1ms"),
        (&["sweep", "1ms..0.5ms"], "RANGE", "the smaller first"),
        (&["sweep", "--step", "0ms"], "--step", "such as 1ms"),
        (&["sweep", "--step", "150ns"], "--step", "100 ns"),
        (&["sweep", "0.5ms..1s"], "--step", "longer step"),
        (&["sweep", "--count", "0"], "--count", "1 or more"),
        (&["sweep", "--count", "5000000000"], "--count", "at most"),
        (&["who", "--from", "no-such-file"], "--from", "no-such-file"),
        (
            &["who", "--from", "Cargo.toml"],
            "--from",
            "powercfg /energy",
        ),
        (
            &["who", "--from", "Cargo.toml", "--on", "windows-7"],
            "--on",
            "",
        ),
        (&["--on", "windows-95"], "--on", "windows-xp"),
    ] {
        refused(arguments, flag, hint);
    }
}
