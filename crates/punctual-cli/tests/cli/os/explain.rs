//! `punctual explain` of programs on this machine. Tests that need the kernel's trace say so if it
//! cannot be read.

#![cfg(target_os = "linux")]

use super::processes::{eventually, is_running};
use crate::command::{Punctual, folder, stderr};
use crate::explain::check;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::PathBuf;

const EXPLAIN: Punctual = Punctual(&["explain"]);

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

/// The report of a traced loop, or `None` with the reason why there is no trace here.
fn traced(arguments: &[&str]) -> Option<(Value, Option<i32>, String)> {
    let output = EXPLAIN.run(&[arguments, &["--json"]].concat());
    let said = stderr(&output);
    if said.contains("tracefs") || said.contains("root") {
        println!("skipped: {said}");
        return None;
    }
    let report = serde_json::from_slice(&output.stdout).unwrap();
    Some((report, output.status.code(), said))
}

fn count(report: &Value) -> usize {
    report["of"].as_u64().unwrap().try_into().unwrap()
}

#[test]
fn late_wake_ups_are_saved_and_only_the_worst_stay() {
    let folder = folder("explain-on-late").join("late");
    let name = folder.to_str().unwrap();
    let late = ["--on-late", "1ns", "--keep", "2", "--save", name];
    let Some((report, status, said)) = traced(&[&late[..], &["--count", "600"]].concat()) else {
        return;
    };
    assert_eq!(status, Some(0), "{said}");
    assert_eq!((count(&report), &report["left_out"]), (600, &598.into()));
    let files = std::fs::read_dir(&folder).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    let is_trace = |file: &&PathBuf| file.extension() == Some(OsStr::new("trace"));
    let traces: Vec<_> = files.iter().filter(is_trace).collect();
    assert!((1..=2).contains(&traces.len()), "{files:?}");
    // Each has a picture; and there are the list and the lock.
    assert_eq!(files.len(), 2 * traces.len() + 2, "{files:?}");
    let list = std::fs::read(folder.join("late.json")).unwrap();
    let list: Value = serde_json::from_slice(&list).unwrap();
    let listed = list["late_wake_ups"].as_array().unwrap();
    assert_eq!(listed.len(), traces.len());
    for late in listed {
        let file = folder.join(late["recording"].as_str().unwrap());
        assert!(traces.contains(&&file), "{late}");
        assert!(
            late["causes"][0]["lateness_ns"].as_u64() > Some(0),
            "{late}"
        );
    }
    for file in traces {
        assert!(said.contains(file.file_name().unwrap().to_str().unwrap()));
        let saved = EXPLAIN.json(&["--from", file.to_str().unwrap()]);
        assert!(saved["exact"].as_u64() >= Some(1), "{saved}");
    }
    // What is there is not mixed with more.
    EXPLAIN.refuses(&late, "--save", "");
}

#[test]
fn a_ring_keeps_the_end_and_a_condition_ends() {
    let file = folder("explain-ring").join("ring.trace");
    let file = file.to_str().unwrap();
    let ring = ["--ring", "200ms", "--count", "1500", "--save", file];
    let Some((report, status, said)) = traced(&ring) else {
        return;
    };
    assert_eq!(status, Some(0), "{said}");
    check(&report);
    assert!((1..1_500).contains(&count(&report)), "{}", count(&report));
    assert_eq!(report, EXPLAIN.json(&["--from", file]));
    let (report, status, said) = traced(&["--until", "lateness>1ns"]).unwrap();
    assert_eq!(
        (status, &report["interrupted"]),
        (Some(0), &false.into()),
        "{said}"
    );
    assert!(count(&report) > 0);
}

#[test]
fn a_full_disk_loses_the_file_and_not_the_report() {
    let Some((report, status, said)) = traced(&["--save", "/dev/full", "--count", "50"]) else {
        return;
    };
    check(&report);
    assert_eq!((status, count(&report)), (Some(1), 50));
    assert!(said.contains("cannot write /dev/full"), "{said}");
}

#[test]
fn frames_are_those_of_a_function_that_is_there() {
    let frame =
        |name: &str| EXPLAIN.run(&["--period", "1ms", "--frame", name, "--", "sh", "-c", ":"]);
    let said = stderr(&frame("no_such_function"));
    assert!(
        said.contains("--frame") && said.contains("no_such_function"),
        "{said}"
    );
    let said = stderr(&EXPLAIN.run(&[
        "--period",
        "1ms",
        "--frame",
        "main",
        "--",
        "no-such-program",
    ]));
    assert!(said.contains("no-such-program"), "{said}");
    let own = std::env::current_exe().unwrap();
    let output = frame(&format!("{}:main", own.display()));
    if !output.status.success() {
        let said = stderr(&output);
        assert!(
            said.contains("tracefs") || said.contains("root") || said.contains("uprobe"),
            "{said}"
        );
        println!("skipped: {said}");
        return;
    }
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("no frame began"), "{text}");
}

#[test]
fn of_a_program_without_timers_it_is_said_what_it_did() {
    let output = EXPLAIN.run(&["--", "sh", "-c", "(/bin/true)"]);
    if !output.status.success() {
        println!("skipped: {}", stderr(&output));
        return;
    }
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["0 of 0 explained", "those of nanosleep", "--wakeups"] {
        assert!(words.contains(part), "{text}");
    }
}
