//! `punctual explain` of programs on this machine. Tests that need the kernel's trace say so if it
//! cannot be read.

#![cfg(target_os = "linux")]

use super::processes::{eventually, is_running};
use crate::command::{Punctual, folder, stderr};
use crate::explain::check;
use serde_json::Value;

const EXPLAIN: Punctual = Punctual(&["explain"]);

#[test]
fn who_is_not_there_is_not_watched() {
    EXPLAIN.refuses(&["--pid", "4194304"], "there is no process 4194304", "");
    EXPLAIN.refuses(&["--pin", "9999", "--", "true"], "--pin", "");
}

/// Without the trace, a loop is still split into timer and queue.
#[test]
fn a_loop_is_explained_as_far_as_the_system_permits() {
    let explanation = EXPLAIN.json(&["--count", "20"]);
    assert_eq!(explanation["question"]["length"]["count"], 20);
    assert_eq!(explanation["wakeups"].as_array().unwrap().len(), 20);
    match explanation["refused"].as_str() {
        None => check(&explanation),
        Some(refused) => {
            println!("skipped: explained by the kernel's trace: {refused}");
            for up in explanation["wakeups"].as_array().unwrap() {
                let part = |key: &str| up[key].as_u64();
                let parts = part("timer_ns").zip(part("queue_ns"));
                let sum = parts.map(|(timer, queue)| timer + queue);
                assert!(sum.is_none() || sum == part("lateness_ns"));
            }
        }
    }
}

#[test]
fn a_command_is_explained_saved_and_explained_again() {
    let file = folder("explain-saved").join("sleep.trace");
    let file = file.to_str().unwrap();
    let output = EXPLAIN.run(&["--save", file, "--json", "--", "sleep", "0.01"]);
    if !output.status.success() {
        let said = stderr(&output);
        assert!(said.contains("tracefs") || said.contains("root"), "{said}");
        println!("skipped: {said}");
        return;
    }
    let first: Value = serde_json::from_slice(&output.stdout).unwrap();
    check(&first);
    assert_eq!(first["subject"], "sleep 0.01");
    assert!(first["of"].as_u64().unwrap() >= 1);
    assert_eq!(first, EXPLAIN.json(&["--from", file]));
}

/// The second process leaves the group and loses its parent.
#[test]
fn a_command_keeps_its_status_and_only_a_duration_ends_it() {
    let script = "(setsid sleep 1236.5 >/dev/null 2>&1 &); exec sleep 1237.5 >/dev/null 2>&1";
    for (duration, script, status) in [("1h", "exit 5", 5), ("200ms", script, 0)] {
        let output = EXPLAIN.run(&["--duration", duration, "--", "sh", "-c", script]);
        let said = stderr(&output);
        if said.contains("tracefs") || said.contains("root") {
            return println!("skipped: {said}");
        }
        assert_eq!(output.status.code(), Some(status), "{said}");
    }
    for left in ["sleep\x001236.5", "sleep\x001237.5"] {
        eventually("all that it started has ended", || !is_running(left));
    }
}
