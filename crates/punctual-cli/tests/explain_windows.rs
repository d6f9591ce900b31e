//! `punctual explain` of simulated machines, and of the text of Windows traces.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_punctual"));
    command.arg("explain").args(arguments).output().unwrap()
}

#[track_caller]
fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).unwrap()
}

/// A file that goes with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("punctual-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

/// The share of all lateness that went to a cause.
fn share(explanation: &Value, cause: &str) -> f64 {
    let causes = explanation["causes"].as_array().unwrap();
    let of_cause = causes.iter().filter(|row| row["cause"] == cause);
    of_cause.map(|row| row["share"].as_f64().unwrap()).sum()
}

#[track_caller]
fn check_sums(explanation: &Value) {
    for up in explanation["wakeups"].as_array().unwrap() {
        let segments = up["segments"].as_array().unwrap().iter();
        let sum: u64 = segments.map(|segment| number(&segment["ns"])).sum();
        if ["exact", "merged"].contains(&up["verdict"].as_str().unwrap()) {
            assert_eq!(sum, number(&up["lateness_ns"]));
        }
    }
}

const MACHINES: [&str; 6] = [
    "windows-xp",
    "windows-7",
    "windows-8",
    "windows-10-1909",
    "windows-10-2004",
    "windows-11",
];

#[test]
fn every_wake_up_on_every_machine_is_explained() {
    for machine in MACHINES {
        for method in ["sleep", "wait-object", "nt-delay", "waitable", "punctual"] {
            let explanation = json(&[
                "--on", machine, "--method", method, "--count", "200", "--load", "cpu:2", "--json",
            ]);
            assert_eq!(
                explanation["exact"], 200,
                "{machine} {method}: {}",
                explanation["unexplained"]
            );
            check_sums(&explanation);
        }
    }
}

#[test]
fn a_request_shortens_what_a_wait_tolerates() {
    let with = |request: &[&str]| {
        let loops = ["--on", "windows-10-2004", "--period", "5ms", "--json"];
        json(&[&loops[..], request].concat())
    };
    let (plain, requested) = (with(&[]), with(&["--request", "1ms"]));
    assert!(share(&plain, "slack") > 0.5);
    let total = |explanation: &Value| number(&explanation["lateness_ns"]);
    assert!(total(&requested) * 4 < total(&plain));
    assert_eq!(
        (&plain["of"], &requested["of"]),
        (&plain["exact"], &requested["exact"])
    );
    let subject = requested["subject"].as_str().unwrap();
    assert!(
        subject.contains("asking for 1.00 ms, on windows-10-2004"),
        "{subject}"
    );
}

#[test]
fn a_report_fits_a_terminal_and_advises() {
    let report = text(&[
        "--on",
        "windows-10-1909",
        "--with",
        "requester=1ms",
        "--with",
        "sleepers=20",
        "--load",
        "cpu",
    ]);
    assert!(
        report.lines().all(|line| line.chars().count() <= 80),
        "{report}"
    );
    for said in [
        "1000 of 1000 explained",
        "windows-10-1909, simulated",
        "load",
        "MMCSS",
    ] {
        assert!(report.contains(said), "{said} is not in {report}");
    }
}

#[test]
fn what_a_simulated_machine_did_is_explained_alike_from_its_text() {
    let file = Scratch::new("trace.txt");
    let loops = [
        "--on",
        "windows-10-2004",
        "--period",
        "20ms",
        "--load",
        "cpu",
        "--count",
        "100",
    ];
    let simulated = json(&[&loops[..], &["--save", file.path(), "--json"]].concat());
    let read = json(&[
        "--from",
        file.path(),
        "--thread",
        "main",
        "--period",
        "20ms",
        "--json",
    ]);
    check_sums(&read);
    assert_eq!(simulated["exact"], 100);
    assert!(number(&read["exact"]) >= 100, "the warm-up is in it, too");
    let main_causes = ["slack", "thread"];
    for cause in main_causes {
        let difference = share(&simulated, cause) - share(&read, cause);
        assert!(difference.abs() < 0.1, "{cause}: {difference}");
    }
    assert!(read["notes"][0].as_str().unwrap().contains("20.0 ms apart"));
    let undated = json(&["--from", file.path(), "--thread", "MAIN", "--json"]);
    assert_eq!(share(&undated, "slack"), 0.0, "counted from the interrupt");
    let report = text(&["--from", file.path(), "--thread", "main"]);
    assert!(
        report.lines().all(|line| line.chars().count() <= 80),
        "{report}"
    );
}

#[test]
fn a_picture_is_written() {
    let file = Scratch::new("picture.pftrace");
    text(&[
        "--on",
        "windows-7",
        "--count",
        "50",
        "--perfetto",
        file.path(),
    ]);
    let picture = fs::read(&file.0).unwrap();
    let has = |text: &str| {
        picture
            .windows(text.len())
            .any(|found| found == text.as_bytes())
    };
    assert!(has("Wake-ups of main-12") && has("deadline") && has("slack: main-12"));
    assert!(has("processor 0") && has("timer interrupt"));
}

#[track_caller]
fn check_refused(arguments: &[&str], said: &str) {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(errors.contains(said), "{errors}");
}

#[test]
fn bad_input_is_refused_with_the_flag_or_the_line() {
    let file = Scratch::new("wrong.txt");
    let header = "CSwitch, TimeStamp, New Process Name ( PID), New TID, Old Process Name ( PID), \
                  Old TID, OldState, CPU\n";
    let line = "CSwitch, 7, game.exe ( 72), 76, Idle ( 0), 0, Running, 0\n";
    fs::write(&file.0, [header, line, "CSwitch, soon\n"].concat()).unwrap();
    check_refused(
        &["--from", file.path(), "--thread", "game.exe"],
        "wrong.txt: line 3: CSwitch has",
    );
    fs::write(&file.0, [header, line].concat()).unwrap();
    check_refused(&["--from", file.path()], "--thread");
    check_refused(
        &["--from", file.path(), "--thread", "other.exe"],
        "no thread 'other.exe'",
    );
    check_refused(&["--thread", "game.exe"], "--from");
    check_refused(&["--on", "windows-7", "--pid", "1"], "--pid");
    check_refused(&["--with", "driver=1ms"], "--on");
    check_refused(
        &["--on", "windows-7", "--method", "std-sleep"],
        "there is no method",
    );
    check_refused(
        &["--on", "windows-7", "--save", "/nowhere/at/all"],
        "--save",
    );
    check_refused(
        &["--on", "windows-7", "--perfetto", "/nowhere/at/all"],
        "--perfetto",
    );
    check_refused(&["--on", "windows-7", "--pin", "64"], "--pin");
}
