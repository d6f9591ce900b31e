//! `punctual measure` as a person or a script meets it. Nothing here depends on how fast anything is.

use serde_json::Value;
use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn punctual(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_punctual"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    punctual(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_recording_has_every_series_with_its_figures() {
    let recording = json(&["measure", "--count", "5", "--json"]);
    assert_eq!(recording["schema"], "punctual.recording/2");
    assert_eq!(recording["asked"]["count"], 5);
    assert_eq!(recording["asked"]["period_ns"], 1_000_000);
    assert_eq!(recording["interrupted"], false);
    assert!(recording["environment"]["kernel"].is_string());
    let methods: Vec<_> = recording["series"]
        .as_array()
        .unwrap()
        .iter()
        .chain(recording["unavailable"].as_array().unwrap())
        .map(|series| series["method"].as_str().unwrap().to_owned())
        .collect();
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
        assert_eq!(
            methods.iter().filter(|name| *name == method).count(),
            1,
            "{method}"
        );
    }
    for series in recording["series"].as_array().unwrap() {
        check_series(series);
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

#[test]
fn tables_fit_80_columns_and_have_no_colour_when_nobody_looks() {
    let output = run(&["measure", "--count", "3", "--period", "200us"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    for line in text.lines() {
        assert!(
            line.chars().count() <= 80,
            "{} columns: {line}",
            line.chars().count()
        );
        assert!(!line.contains('\u{1b}'), "{line:?}");
    }
    for expected in [
        "Machine",
        "p99.9",
        "missed",
        "cpu",
        "punctual-exact",
        "per deadline",
        "├",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn help_fits_80_columns_and_shows_examples() {
    let output = run(&["measure", "--help"]);
    let text = stdout(&output);
    assert!(text.contains("Examples:"));
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

/// A refusal comes before anything runs, names the flag, and says what would be right.
#[track_caller]
fn refuses(arguments: &[&str], flag: &str, hint: &str) {
    let output = run(&[&["measure"], arguments].concat());
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(flag), "{arguments:?}: {message}");
    assert!(message.contains(hint), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn wrong_quantities_are_refused() {
    refuses(&["--period", "0"], "--period", "such as 1ms");
    refuses(&["--period", "5"], "--period", "such as 1ms");
    refuses(&["--period", "1ns"], "--period", "least is 1us");
    refuses(&["--budget", "140%"], "--budget", "0% to 100%");
    refuses(&["--late-rate", "0%"], "--late-rate", "late rate");
    refuses(&["--count", "0"], "--count", "1 or more");
    refuses(&["--count", "many"], "--count", "1 or more");
    refuses(&["--duration", "10"], "--duration", "a unit");
    refuses(&["--duration", "1ms"], "--duration", "the least is");
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    refuses(
        &["--method", "usleep"],
        "--method",
        "there are std-sleep, nanosleep",
    );
    refuses(&["--load", "heavy"], "--load", "cpu");
    refuses(&["--load", "cpu:0"], "--load", "cpu");
    refuses(&["--priority", "top"], "--priority", "realtime");
    refuses(&["--pin", "4000"], "--pin", "it may use 0");
    refuses(&["--fail-if", "p98>1ms"], "--fail-if", "p50, p90");
    refuses(&["--fail-if", "p99<1ms"], "--fail-if", "p99>200us");
    refuses(&["--fail-if", "p99>5"], "--fail-if", "a unit");
}

#[test]
fn contradictions_are_refused() {
    refuses(
        &["--count", "5", "--duration", "1s"],
        "--duration",
        "cannot be used with",
    );
    refuses(
        &["--method", "spin", "--method", "spin"],
        "--method",
        "twice",
    );
    refuses(
        &["--method", "spin", "--budget", "9%"],
        "--budget",
        "leaves out",
    );
    refuses(
        &["--method", "spin", "--late-rate", "2%"],
        "--late-rate",
        "leaves out",
    );
    refuses(
        &["--method", "spin", "--fail-if", "poll.p99>1s"],
        "--fail-if",
        "not measured",
    );
}

/// Where it is not permitted, nothing is measured, and the command that would permit it is said.
#[test]
fn tuned_series_stand_beside_the_others_or_nothing_is_measured() {
    let output = run(&[
        "measure",
        "--tuned",
        "--method",
        "nanosleep",
        "--count",
        "3",
        "--json",
    ]);
    if output.status.success() {
        let recording: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(recording["asked"]["tuned"], true);
        assert_eq!(recording["series"][0]["method"], "nanosleep");
        assert_eq!(recording["series"][1]["method"], "!nanosleep");
        return;
    }
    let message = stderr(&output);
    let (status, expected) = if std::env::consts::OS == "linux" {
        (1, ["sudo ", "--device"])
    } else {
        (2, ["only Linux"; 2])
    };
    assert_eq!(output.status.code(), Some(status), "{message}");
    assert!(message.contains("--tuned"), "{message}");
    assert!(
        expected.iter().any(|hint| message.contains(hint)),
        "{message}"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn a_bound_decides_the_exit_status() {
    let measure = |bound| {
        let mut arguments = vec!["measure", "--method", "nanosleep", "--method", "spin"];
        arguments.extend(["--count", "3", "--json", "--fail-if", bound]);
        run(&arguments)
    };
    for kept in [
        "max>500s",
        "nanosleep.p99.9>500s",
        "missed>999999",
        "early>0",
    ] {
        assert_eq!(measure(kept).status.code(), Some(0), "{kept}");
    }
    for broken in ["nanosleep.max>0ns", "max>0ns", "spin.processor>0%"] {
        let output = measure(broken);
        assert_eq!(output.status.code(), Some(3), "{broken}");
        assert!(stderr(&output).contains(broken), "{}", stderr(&output));
        assert!(
            serde_json::from_slice::<Value>(&output.stdout).is_ok(),
            "{broken}"
        );
    }
}

#[test]
fn a_duration_is_shared_out_among_the_methods() {
    let arguments = [
        "measure",
        "--duration",
        "600ms",
        "--method",
        "poll",
        "--method",
        "futex",
    ];
    let recording = json(&[&arguments[..], &["--json"]].concat());
    // 300 periods each, of which 50 are the warm-up.
    assert_eq!(recording["asked"]["count"], 250);
}

#[test]
fn a_load_is_recorded_and_gone_afterwards() {
    let marker = "sleep 98765.4321";
    let load = format!("command:{marker}");
    let arguments = [
        "measure", "--method", "poll", "--count", "3", "--json", "--load", &load,
    ];
    assert_eq!(json(&arguments)["asked"]["load"], load.as_str());
    eventually("the load is gone", || !is_running("sleep\x0098765.4321"));
}

#[test]
fn a_load_that_ends_early_fails_the_run_and_loses_nothing() {
    let arguments = [
        "measure", "--method", "poll", "--count", "3", "--json", "--load",
    ];
    let output = run(&[&arguments[..], &["command:true"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("ended"), "{}", stderr(&output));
    // It may already have ended before the first wait, and then nothing was measured.
    if let Ok(recording) = serde_json::from_slice::<Value>(&output.stdout) {
        assert_eq!(recording["series"][0]["count"], 3);
        let change = recording["environment_changes"].to_string();
        assert!(
            change.contains("command:true ended during the run"),
            "{change}"
        );
    }
}

/// Whether any process has this in its command line, arguments separated by NUL.
fn is_running(command_line: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.into_iter().any(|process| {
        let path = process.path().join("cmdline");
        std::fs::read(path)
            .is_ok_and(|text| String::from_utf8_lossy(&text).trim_end_matches('\0') == command_line)
    })
}

#[track_caller]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "not within 20 s: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn signal(child: &Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(
        Command::new("sh")
            .args(["-c", &kill])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn ctrl_c_prints_what_was_measured_and_leaves_nothing_behind() {
    let marker = "sleep 12345.6789";
    let load = format!("command:{marker}");
    let mut child = punctual(&["measure", "--count", "1000000", "--load", &load])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("the load runs", || is_running("sleep\x0012345.6789"));
    // By now Ctrl-C is heard. Long enough for a first block; if it was not, the command says so.
    std::thread::sleep(Duration::from_millis(1_500));
    signal(&child, "INT");
    let mut text = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let stopped = text.contains("(stopped") || text.contains("Stopped before");
    assert!(stopped, "{text}");
    eventually("the load is gone", || !is_running("sleep\x0012345.6789"));
}

#[test]
fn ctrl_c_ends_a_wait_that_would_last_an_hour() {
    let arguments = [
        "measure",
        "--period",
        "1h",
        "--method",
        "nanosleep",
        "--json",
    ];
    let mut child = punctual(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    // Whenever it comes: before the handler is set it ends the process, after it the measurement.
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "INT");
    eventually("it ends", || child.try_wait().unwrap().is_some());
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let mut child = punctual(&["measure", "--count", "3", "--method", "poll"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut message = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut message)
        .unwrap();
    child.wait().unwrap();
    assert!(!message.contains("panicked"), "{message}");
}
