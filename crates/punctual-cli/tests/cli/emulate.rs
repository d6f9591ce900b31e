//! `punctual run`: what it refuses, what it passes on, and what it tells. How long waits take is checked in
//! virtual time, by the crate that has the rules.

use crate::command::{Punctual, folder};
use crate::hostile_text::{HOSTILE, harmless};
use serde_json::Value;
use std::fs;
use std::process::Output;

const RUN: Punctual = Punctual(&["run"]);

/// What it says where it cannot steer programs: another system, or a container that forbids it.
const CANNOT: i32 = 125;

/// Runs a program, unless that is not possible here.
fn ran(arguments: &[&str]) -> Option<Output> {
    let output = RUN.run(arguments);
    harmless(&output.stderr);
    if output.status.code() == Some(CANNOT) {
        println!("skipped: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(output)
}

#[test]
fn the_exit_status_is_the_programs() {
    for (script, code) in [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143)] {
        let words = ["--as", "windows-11", "-q", "--", "sh", "-c", script];
        let Some(output) = ran(&words) else { return };
        assert_eq!(output.status.code(), Some(code), "{script}");
        assert!(output.stderr.is_empty(), "{:?}", output.stderr);
    }
    let Some(output) = ran(&["--as", "windows-11", "--", "there-is-no-such-program"]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(127));
}

#[test]
fn a_run_is_told_of_in_json_in_a_recording_and_in_words() {
    let folder = folder("emulate");
    let [json, recording] = ["run.json", "late.json"].map(|name| folder.join(name));
    let script = "i=0; while [ $i -lt 12 ]; do sleep 0.001; i=$((i+1)); done; echo done";
    let words = [
        "--as",
        "windows-10-2004",
        "--json",
        json.to_str().unwrap(),
        "--record",
        recording.to_str().unwrap(),
        "--",
        "sh",
        "-c",
        script,
    ];
    let Some(output) = ran(&words) else { return };
    assert_eq!(output.stdout, b"done\n", "the program's output is its own");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("windows-10-2004: succeeded"), "{said}");
    assert!(said.contains("Sleep, ms up"), "{said}");
    assert!(
        said.lines().all(|line| line.chars().count() <= 80),
        "{said}"
    );

    let told: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(told["schema"], "punctual.run/1");
    assert_eq!(told["exited"], 0);
    let calls = told["calls"].as_array().unwrap();
    let waits: u64 = calls.iter().filter_map(|call| call["waits"].as_u64()).sum();
    assert!(waits >= 12, "{calls:?}");

    let recording = recording.to_str().unwrap();
    let text = Punctual(&["compare"]).text(&[recording, recording]);
    assert!(text.contains("sleep:"), "{text}");
}

#[test]
fn a_test_is_repeated_until_it_fails_and_the_phase_is_printed() {
    let words = [
        "--as",
        "windows-7",
        "--repeat",
        "3",
        "--until-fails",
        "--",
        "false",
    ];
    let Some(output) = ran(&words) else { return };
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("run 1 failed") && said.contains("--phase "),
        "{said}"
    );

    let words = ["--as", "windows-7", "--repeat", "2", "--", "true"];
    let Some(output) = ran(&words) else { return };
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("none of 2 runs failed"), "{said}");
}

#[test]
fn versions_are_compared() {
    let words = ["--compare", "windows-7,windows-11", "--", "sleep", "0.001"];
    let Some(output) = ran(&words) else { return };
    let said = String::from_utf8(output.stderr).unwrap();
    for version in ["windows-7", "windows-11"] {
        assert!(said.contains(&format!("{version}: succeeded")), "{said}");
    }
}

#[test]
fn names_of_programs_and_files_do_nothing() {
    ran(&["--as", "windows-7", "--", HOSTILE]);
    for flag in ["--json", "--record"] {
        let file = format!("/there is no such folder/{HOSTILE}");
        ran(&["--as", "windows-7", flag, &file, "--", "true"]);
    }
}
