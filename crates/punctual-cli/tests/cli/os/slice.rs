//! `--slice`, on a kernel that has slices, on one that has none, and in a sandbox.

#![cfg(target_os = "linux")]

use super::sandbox;
use crate::command::{Punctual, folder, stderr};
use serde_json::{Value, json};
use std::fs;

const MEASURE: Punctual = Punctual(&["measure", "--count", "3"]);
const PACE: Punctual = Punctual(&["measure", "--beat", "--duration", "20ms"]);
const EXPLAIN: Punctual = Punctual(&["explain", "--count", "3"]);
const COMPARE: Punctual = Punctual(&["compare"]);

/// Whether threads have slices here. If not, that is what the refusal says.
fn has_slices() -> bool {
    let tried = MEASURE.run(&["--method", "spin", "--slice", "0.1ms"]);
    if tried.status.success() {
        return true;
    }
    let said = stderr(&tried);
    assert_eq!(tried.status.code(), Some(2), "{said}");
    assert!(said.contains("--slice"), "{said}");
    println!("skipped: {said}");
    false
}

fn names<'a>(series: &'a Value, key: &str) -> Vec<&'a str> {
    let series = series.as_array().unwrap().iter();
    series.map(|one| one[key].as_str().unwrap()).collect()
}

#[test]
fn with_two_slices_each_method_is_measured_twice() {
    if !has_slices() {
        return;
    }
    let asked = ["--method", "punctual", "--method", "spin"];
    let recording = MEASURE.json(&[&asked[..], &["--slice", "default,0.1ms"]].concat());
    assert_eq!(
        names(&recording["series"], "method"),
        ["punctual", "spin", "~punctual", "~spin"]
    );
    assert_eq!(recording["question"]["slices"], json!(["default", "100us"]));
    let text = MEASURE.text(&[&asked[..], &["--slice", "default,0.1ms"]].concat());
    let title = text.replace('\n', " ");
    assert!(title.contains("slice default; ~: slice 100 µs"), "{text}");
}

#[test]
fn every_loop_can_have_a_slice() {
    if !has_slices() {
        return;
    }
    let paced = PACE.json(&["--method", "ticker", "--slice", "0.2ms"]);
    assert_eq!(names(&paced["series"], "way"), ["ticker"]);
    assert_eq!(paced["question"]["slices"], json!(["200us"]));
    let explained = EXPLAIN.json(&["--method", "spin", "--slice", "0.2ms"]);
    assert_eq!(explained["question"]["slices"], json!(["200us"]));
    let subject = explained["subject"].as_str().unwrap();
    assert!(subject.contains("slice 200 µs"), "{subject}");
}

#[test]
fn a_recording_with_a_slice_is_not_compared_without_a_word() {
    if !has_slices() {
        return;
    }
    let folder = folder("slices");
    let record = |name: &str, flags: &[&str]| {
        let file = folder.join(name);
        let recording = MEASURE.text(&[&["--json", "--method", "spin"], flags].concat());
        fs::write(&file, recording).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let (without, with) = (record("a.json", &[]), record("b.json", &["--slice", "1ms"]));
    let compared = COMPARE.text(&[&without, &with]);
    let compared = compared.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        compared.contains("the slice changed from that of each method to 1ms"),
        "{compared}"
    );
}

#[test]
fn slices_that_cannot_be_compared_are_refused() {
    if !has_slices() {
        return;
    }
    MEASURE.refuses(&["--slice", "1ms,1ms"], "--slice", "given twice");
    MEASURE.refuses(&["--slice", "1ms,2ms,3ms"], "--slice", "one or two");
    let realtime = MEASURE.run(&["--priority", "realtime", "--slice", "1ms"]);
    let said = stderr(&realtime);
    // Or else the priority was not permitted.
    if realtime.status.code() == Some(2) {
        assert!(
            said.contains("--slice") && said.contains("real-time"),
            "{said}"
        );
    } else {
        println!("skipped: {said}");
    }
}

#[test]
fn a_sandbox_that_refuses_slices_is_named_and_all_else_goes_on() {
    if !has_slices() {
        return;
    }
    let calls = [libc::SYS_sched_setattr];
    let plain = ["measure", "--count", "3", "--method", "punctual"];
    let measured = sandbox::punctual(&calls, sandbox::EPERM, &plain);
    assert_eq!(measured.status.code(), Some(0), "{}", stderr(&measured));
    let asked = [&plain[..], &["--slice", "1ms"]].concat();
    let refused = sandbox::punctual(&calls, sandbox::EPERM, &asked);
    let said = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("--slice") && said.contains("sandbox"),
        "{said}"
    );
    let examined = sandbox::punctual(&calls, sandbox::EPERM, &["doctor", "--json"]);
    let examined: Value = serde_json::from_slice(&examined.stdout).unwrap();
    let findings = examined["findings"].as_array().unwrap();
    let slice = findings
        .iter()
        .find(|found| found["what"] == "slice")
        .unwrap();
    assert_eq!(slice["state"], "missing");
    assert!(
        slice["remedy"].as_str().unwrap().contains("seccomp"),
        "{slice}"
    );
}
