//! Ctrl-C, sent as a signal: the results so far are shown. On Windows `.ci/wine` has a similar
//! test.

#![cfg(target_os = "linux")]

use super::processes::{eventually, interrupt, is_running};
use crate::command::{punctual, stdout};
use serde_json::Value;
use std::process::{Child, Output, Stdio};
use std::time::Duration;

/// Long enough to measure something on most machines.
const LATER: Duration = Duration::from_secs(2);

/// Long enough to be in the middle of a simulation, all of whose time is the processor's.
#[cfg(feature = "sim")]
const SOON: Duration = Duration::from_millis(200);

fn started(arguments: &[&str]) -> Child {
    punctual()
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The output of the interrupted command.
#[track_caller]
fn interrupted(arguments: &[&str], later: Duration) -> Output {
    let child = started(arguments);
    interrupt(&child, later);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{arguments:?}: {output:?}");
    output
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    let output = interrupted(&[arguments, &["--json"]].concat(), LATER);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Empty if the machine was so busy that the simulation did not stop in time.
#[cfg(feature = "sim")]
#[track_caller]
fn simulated(arguments: &[&str]) -> Option<Value> {
    let output = interrupted(&[arguments, &["--json"]].concat(), SOON);
    if output.stdout.is_empty() {
        println!("skipped: {arguments:?}: the simulation did not stop in time");
        return None;
    }
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn a_measurement_is_shown_as_far_as_it_was_made_and_its_load_is_gone() {
    let load = "command:sleep 12345.6789";
    let child = started(&["measure", "--count", "1000000", "--load", load]);
    eventually("the load runs", || is_running("sleep\x0012345.6789"));
    interrupt(&child, LATER);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let text = stdout(&output);
    // The second signal, if two seconds were too short for a first block.
    let stopped = text.contains("(stopped") || text.contains("Stopped before");
    assert!(stopped, "{text}");
    eventually("the load is gone", || !is_running("sleep\x0012345.6789"));
}

#[test]
fn a_wait_that_would_last_an_hour_is_ended() {
    let hour = ["measure", "--period", "1h", "--method", "nanosleep"];
    assert_eq!(json(&hour)["interrupted"], true);
}

#[test]
fn a_pace_is_shown_as_far_as_it_was_kept() {
    let recording = json(&["measure", "--beat", "1ms", "--duration", "1h"]);
    assert_eq!(recording["interrupted"], true);
    assert!(recording["series"].as_array().unwrap().len() <= 1);
}

#[cfg(feature = "sim")]
#[test]
fn what_is_simulated_for_long_is_shown_as_far_as_it_went() {
    let many = ["--count", "1000000000"];
    let measure = ["measure", "--on", "windows-7", "--method", "sleep"];
    for arguments in [
        &[&measure[..], &many].concat()[..],
        &[
            "doctor",
            "clocks",
            "--on",
            "windows-7",
            "--duration",
            "3000d",
        ],
        &[
            "measure",
            "--for",
            "1ms",
            "--vary",
            "request=1ms..2ms/1us",
            "--on",
            "windows-7",
            "--count",
            "100000",
        ],
    ] {
        if let Some(recording) = simulated(arguments) {
            assert_eq!(recording["interrupted"], true, "{arguments:?}");
        }
    }
}

#[cfg(feature = "sim")]
#[test]
fn machines_that_were_not_measured_are_not_compared() {
    let machines = ["compare", "--on", "windows-7", "--on", "windows-10-2004"];
    let asked = ["--method", "sleep", "--count", "1000000000"];
    let Some(compared) = simulated(&[&machines[..], &asked].concat()) else {
        return;
    };
    let comparison = &compared["comparisons"][0];
    assert_eq!(comparison["methods"], Value::Array(Vec::new()));
    let differences = comparison["differences"].to_string();
    assert!(differences.contains("was interrupted"), "{differences}");
}
