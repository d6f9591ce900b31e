//! Every command on Linux: its ways of waiting, its clocks, its slack and its processes.

#![cfg(target_os = "linux")]

use super::processes::{eventually, is_running};
use crate::clocks::QUICK;
use crate::command::{Punctual, fits_80_columns, stderr};
use serde_json::Value;

const MEASURE: Punctual = Punctual(&["measure", "--count", "5"]);
const RESOLUTION: Punctual = Punctual(&["resolution"]);

#[test]
fn a_recording_has_every_series_with_its_figures() {
    let recording = MEASURE.json(&[]);
    assert_eq!(recording["schema"], "punctual.recording/5");
    assert_eq!(recording["plan"]["count"], 5);
    assert_eq!(
        recording["question"]["period_ns"],
        serde_json::json!([1_000_000, 1])
    );
    assert_eq!(recording["interrupted"], false);
    assert!(recording["environment"]["kernel"].is_string());
    let measured = recording["series"].as_array().unwrap();
    let lacking = recording["unavailable"].as_array().unwrap();
    let methods: Vec<_> = measured.iter().chain(lacking).collect();
    for method in [
        "std-sleep",
        "nanosleep",
        "clock-nanosleep",
        "select",
        "poll",
        "epoll-wait",
        "epoll-pwait2",
        "futex",
        "futex-waitv",
        "condvar",
        "timerfd",
        "posix-timer",
        "io-uring",
        "punctual-coarse",
        "punctual",
        "punctual-exact",
        "spin",
    ] {
        let found = methods.iter().filter(|series| series["method"] == method);
        assert_eq!(found.count(), 1, "{method}");
    }
    for series in measured {
        check_series(series);
    }
    for missing in lacking {
        println!("skipped: {}: {}", missing["name"], missing["reason"]);
    }
}

fn check_series(series: &Value) {
    assert_eq!(series["count"], 5, "{series}");
    assert_eq!(series["early"], 0, "{series}");
    assert!((0.0..=1.1).contains(&series["processor_share"].as_f64().unwrap()));
    let missed = series["missed"].as_u64().unwrap();
    for (statistic, deadlines) in [("per_wake", 5), ("per_deadline", 5 + missed)] {
        let summary = &series[statistic];
        let figures = ["p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"];
        let figures = figures.map(|figure| summary[figure].as_u64().unwrap());
        assert!(figures.is_sorted(), "{summary}");
        assert!(summary["mean_ns"].as_u64().unwrap() <= summary["max_ns"].as_u64().unwrap());
        let counts = summary["histogram"]["counts_by_ns"].as_array().unwrap();
        let total: u64 = counts.iter().map(|pair| pair[1].as_u64().unwrap()).sum();
        assert_eq!(total, deadlines, "{summary}");
    }
}

/// Without permission, nothing is measured, and the error names the command that permits it.
#[test]
fn tuned_series_stand_beside_the_others_or_nothing_is_measured() {
    let output = MEASURE.run(&["--tuned", "--method", "nanosleep", "--json"]);
    if output.status.success() {
        let recording: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(recording["question"]["tuned"], true);
        assert_eq!(recording["series"][0]["method"], "nanosleep");
        assert_eq!(recording["series"][1]["method"], "!nanosleep");
        return;
    }
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(output.stdout.is_empty());
    assert!(message.contains("--tuned"), "{message}");
    let hinted = message.contains("sudo ") || message.contains("--device");
    assert!(hinted, "{message}");
    println!("skipped: tuned series: {message}");
}

#[test]
fn a_load_is_recorded_and_gone_afterwards() {
    let load = "command:sleep 98765.4321";
    let recording = MEASURE.json(&["--method", "poll", "--load", load]);
    assert_eq!(recording["question"]["load"], load);
    eventually("the load is gone", || !is_running("sleep\x0098765.4321"));
}

#[test]
fn a_load_that_ends_early_fails_the_run_and_loses_nothing() {
    let output = MEASURE.run(&["--method", "poll", "--load", "command:true", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("ended"), "{}", stderr(&output));
    // It may have ended before the first wait, and then nothing was measured.
    if output.stdout.is_empty() {
        return;
    }
    let recording: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(recording["series"][0]["count"], 5);
    let change = recording["environment_changes"].to_string();
    assert!(
        change.contains("command:true ended during the run"),
        "{change}"
    );
}

#[test]
fn every_clock_is_in_the_recording() {
    let recording = &*QUICK;
    assert_eq!(recording["schema"], "punctual.clocks/3");
    let clocks = recording["clocks"].as_array().unwrap();
    let mut names = clocks.iter().map(|clock| clock["clock"].as_str().unwrap());
    assert_eq!(names.next(), Some("CLOCK_MONOTONIC"));
    let counter = cfg!(target_arch = "x86_64").then_some("rdtsc");
    let clocks_of_linux = ["CLOCK_MONOTONIC_COARSE", "CLOCK_TAI", "std::time::Instant"];
    for name in clocks_of_linux.into_iter().chain(counter) {
        assert!(names.clone().any(|one| one == name), "{name}");
    }
    assert!(clocks.iter().all(|clock| clock["cost_ns"].is_number()));
    let mut clocks = clocks.iter();
    let thread = clocks.find(|clock| clock["counts"] == "thread").unwrap();
    assert!(thread["rate_ppm"].is_null() && thread["across"].is_null());
}

#[test]
fn slack_is_said_to_stand_in_for_the_interval_that_there_is_not() {
    assert!(RESOLUTION.text(&[]).contains("timer slack"));
    let now = RESOLUTION.json(&[]);
    assert_eq!(now["interval"], Value::Null);
    assert!(now["environment"]["tick_rate_hertz"].is_u64(), "{now}");
}

#[test]
fn every_slack_has_its_figures_and_none_ends_early() {
    let asked = ["--for", "1ms", "--count", "20", "--vary", "slack=100us,1ns"];
    let recording = Punctual(&["measure"]).json(&asked);
    assert_eq!(recording["interrupted"], false);
    let points = recording["points"].as_array().unwrap();
    let slacks: Vec<_> = points.iter().map(|point| &point["value_ns"]).collect();
    assert_eq!(slacks, [1, 100_000]);
    for series in points.iter().map(|point| &point["series"][0]) {
        assert_eq!(series["call"], "nanosleep");
        assert_eq!(
            (
                &series["early"],
                &series["durations_ns"].as_array().map(Vec::len)
            ),
            (&0.into(), &Some(20))
        );
    }
    let text = MEASURE.text(&["--vary", "slack=1ns..1ms"]);
    fits_80_columns(&text);
    assert!(text.contains("under a timer slack of"), "{text}");
    let page = MEASURE.text(&["--vary", "slack=1ns", "--markdown"]);
    assert!(
        page.starts_with("### Lateness of 5 waits of 1.00 ms, by slack"),
        "{page}"
    );
}

/// Trying what is permitted changes nothing.
#[test]
fn nothing_is_left_behind() {
    let find = || {
        let names = std::fs::read_dir("/sys/kernel/tracing/instances").ok()?;
        let mut names: Vec<_> = names.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        Some(names)
    };
    let before = find();
    Punctual(&["doctor"]).json(&[]);
    // Other captures may come and go meanwhile. None that remains belongs to an ended process.
    let ours = find().unwrap_or_default().into_iter().filter(|name| {
        let name = name.to_string_lossy().into_owned();
        let process = name
            .strip_prefix("punctual-")
            .and_then(|name| name.split('-').next());
        process.is_some_and(|id| !std::path::Path::new("/proc").join(id).exists())
    });
    let before = before.unwrap_or_default();
    assert_eq!(ours.filter(|name| !before.contains(name)).count(), 0);
}
