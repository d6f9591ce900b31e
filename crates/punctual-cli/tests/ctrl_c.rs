//! Ctrl-C, sent as a signal: what was measured so far is shown. Linux' way to look whether a process
//! listens, so this is not run on Windows, where `.ci/wine` does the like.

use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const SIGINT: u64 = 1 << 1;

/// Runs the command until it listens and a little longer, and then interrupts it.
fn interrupted(arguments: &[&str]) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_punctual"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !listens(child.id()) && began.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_secs(2));
    let kill = format!("kill -INT {}", child.id());
    let killed = Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert!(killed.success());
    child.wait_with_output().unwrap()
}

/// Whether a process catches the signal; until it does, nothing could be shown.
fn listens(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & SIGINT != 0)
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_pace_is_shown_as_far_as_it_was_kept() {
    let output = interrupted(&["pace", "--duration", "1h", "--period", "1ms", "--json"]);
    let recording = json(&output);
    assert_eq!(recording["interrupted"], true);
    assert!(recording["ways"].as_array().unwrap().len() <= 1);
}

#[cfg(feature = "sim")]
#[test]
fn a_simulated_measurement_is_shown_as_far_as_it_was_made() {
    let machine = ["measure", "--on", "windows-7", "--method", "sleep"];
    let output = interrupted(&[&machine[..], &["--count", "1000000000", "--json"]].concat());
    // A machine so busy that the simulation is not stopped within its grace shows nothing.
    if output.stdout.is_empty() {
        assert_eq!(output.status.code(), Some(130));
        return;
    }
    assert_eq!(json(&output)["interrupted"], true);
}

#[cfg(feature = "sim")]
#[test]
fn a_simulated_loop_is_explained_as_far_as_it_went() {
    let output = interrupted(&["explain", "--on", "windows-7", "--count", "1000000000"]);
    // Likewise.
    assert_eq!(output.status.code(), Some(130), "{output:?}");
}

#[cfg(feature = "sim")]
#[test]
fn what_else_is_simulated_for_long_is_shown_as_far_as_it_went() {
    for arguments in [
        &["clocks", "--on", "windows-7", "--duration", "3000d"][..],
        &[
            "resolution",
            "sweep",
            "--on",
            "windows-7",
            "--count",
            "100000",
        ],
    ] {
        let output = interrupted(&[arguments, &["--json"]].concat());
        // Likewise.
        if output.stdout.is_empty() {
            assert_eq!(output.status.code(), Some(130), "{arguments:?}");
            continue;
        }
        assert_eq!(json(&output)["interrupted"], true, "{arguments:?}");
    }
}

#[cfg(feature = "sim")]
#[test]
fn machines_that_were_not_measured_are_not_compared() {
    let machines = ["compare", "--on", "windows-7", "--on", "windows-10-2004"];
    let asked = ["--method", "sleep", "--count", "1000000000", "--json"];
    let output = interrupted(&[&machines[..], &asked].concat());
    // Likewise.
    if output.stdout.is_empty() {
        assert_eq!(output.status.code(), Some(130));
        return;
    }
    let comparison = &json(&output)["comparisons"][0];
    assert_eq!(comparison["methods"], Value::Array(Vec::new()));
    let differences = comparison["differences"].to_string();
    assert!(differences.contains("was interrupted"), "{differences}");
}
