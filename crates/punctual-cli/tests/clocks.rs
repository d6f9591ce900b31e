//! `punctual clocks` as a person or a script meets it. Nothing here depends on how fast anything is.

use serde_json::Value;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let arguments = [&["clocks"], arguments].concat();
    Command::new(env!("CARGO_BIN_EXE_punctual"))
        .args(arguments)
        .output()
        .unwrap()
}

#[track_caller]
fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(&[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn native_every_clock_is_in_the_recording() {
    let recording = json(&["--duration", "100ms"]);
    assert_eq!(recording["schema"], "punctual.clocks/1");
    let clocks = recording["clocks"].as_array().unwrap();
    let mut names = clocks.iter().map(|clock| clock["clock"].as_str().unwrap());
    assert_eq!(names.next(), Some("CLOCK_MONOTONIC"));
    let counter = cfg!(target_arch = "x86_64").then_some("rdtsc");
    let clocks_of_linux = ["CLOCK_MONOTONIC_COARSE", "CLOCK_TAI", "std::time::Instant"];
    for name in clocks_of_linux.into_iter().chain(counter) {
        assert!(names.clone().any(|one| one == name), "{name}");
    }
    assert!(clocks.iter().all(|clock| clock["cost_ns"].is_number()));
    let thread = clocks
        .iter()
        .find(|clock| clock["counts"] == "thread")
        .unwrap();
    assert!(thread["rate_ppm"].is_null() && thread["across"].is_null());
}

#[test]
fn a_quick_comparison_is_half_a_second() {
    let recording = json(&["--quick"]);
    assert_eq!(recording["asked"]["duration_ns"], 500_000_000);
    let output = run(&["--quick", "--duration", "1s"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn too_short_a_comparison_is_refused() {
    let output = run(&["--duration", "49ms"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("'--duration'") && message.contains("50ms"),
        "{message}"
    );
}

#[cfg(feature = "sim")]
#[test]
fn simulated_clocks_are_those_of_their_version() {
    let names = |machine| {
        let recording = json(&["--on", machine]);
        let name = |clock: &Value| clock["clock"].as_str().unwrap().to_owned();
        recording["clocks"]
            .as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names("windows-xp").len(), 4);
    assert_eq!(names("windows-7").len(), 6);
    assert_eq!(names("windows-8").len(), 7);
    let eleven = names("windows-11");
    assert_eq!(eleven.len(), 10);
    assert!(eleven.contains(&"QueryInterruptTimePrecise".to_owned()));
    let shown = text(&["--on", "windows-xp,processors=1"]);
    assert!(
        shown.contains("no GetTickCount64: this Windows has no"),
        "{shown}"
    );
    assert!(shown.contains("there is one processor"), "{shown}");
    let wide = text(&["--on", "windows-11", "--quick"]);
    assert!(
        wide.contains("QueryUnbiasedInterruptTimePrecise "),
        "{wide}"
    );
    for line in shown.lines().chain(wide.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[cfg(feature = "sim")]
#[test]
fn an_interval_that_somebody_asks_for_is_not_needed_to_see_the_default_step() {
    let recording = json(&["--on", "windows-10-2004"]);
    let step = |name: &str| {
        let mut clocks = recording["clocks"].as_array().unwrap().iter();
        let clock = clocks.find(|clock| clock["clock"] == name).unwrap();
        clock["median_step_ns"].as_f64().unwrap()
    };
    assert_eq!(step("GetSystemTimeAsFileTime"), 15_625_000.0);
    assert!((1.5e7..=1.6e7).contains(&step("timeGetTime")));
    assert_eq!(step("QueryPerformanceCounter"), 100.0);
}
