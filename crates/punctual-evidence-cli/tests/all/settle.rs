//! Hypotheses settled on simulated machines, and by recordings.

use crate::{fits_80_columns, folder, run, stderr, stdout};
use serde_json::Value;
use std::fs;

#[test]
fn the_rules_of_a_machine_remain_and_others_are_excluded() {
    let file = folder("settle").join("settled.json");
    let file = file.to_str().unwrap();
    let machine = "windows-11,due-time=precise,timer-queue-class=process";
    let output = run("settle", &["--on", machine, "--save", file]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    fits_80_columns(&text);
    for expected in [
        "due-time=precise               remains",
        "due-time=coarse                excluded",
        "hr-ticks=kept                  excluded",
        "3 of 32 hypotheses remain.",
        "the machine is simulated",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    let judged = run("settle", &["--from", file, "--json"]);
    let document: Value = serde_json::from_slice(&judged.stdout).unwrap();
    assert_eq!(document["schema"], "punctual.settlement/2");
    assert_eq!(document["remaining"], 3);
    assert_eq!(document["version"], "windows-11");
    for format in ["--markdown", "--csv"] {
        assert_eq!(
            run("settle", &["--from", file, format]).status.code(),
            Some(0)
        );
    }
}

/// The recording of a simulated machine, as if of another.
fn altered(test: &str, change: impl Fn(&mut Value)) -> (Option<i32>, String) {
    let file = folder(test).join("altered.json");
    let name = file.to_str().unwrap();
    let on = ["--quick", "--on", "windows-10-2004", "--save", name];
    assert!(run("settle", &on).status.success());
    let saved: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    // What 'punctual measure --for' would save.
    let mut document = saved["recordings"][0].clone();
    document["question"]["on"] = Value::Null;
    change(&mut document);
    fs::write(&file, document.to_string()).unwrap();
    let output = run("settle", &["--from", name]);
    (output.status.code(), stderr(&output))
}

#[test]
fn a_recording_that_is_of_no_real_windows_is_refused_by_name() {
    let (status, error) = altered("settle-linux", |document| {
        document["environment"]["system"] = "Debian GNU/Linux 12".into();
    });
    assert_eq!(status, Some(2), "{error}");
    assert!(
        error.contains("altered.json: it was recorded on Debian"),
        "{error}"
    );
    let (status, error) = altered("settle-wine", |document| {
        document["environment"]["kernel"] = "NT 10.0.19045".into();
        document["environment"]["wine"] = "9.0".into();
    });
    assert_eq!(status, Some(2), "{error}");
    assert!(
        error.contains("under Wine 9.0") && error.contains("real"),
        "{error}"
    );
    let (status, error) = altered("settle-schema", |document| {
        document["schema"] = "punctual.pace/2".into();
    });
    assert_eq!(status, Some(2), "{error}");
    assert!(error.contains("punctual.pace/2"), "{error}");
}

#[test]
fn a_recording_of_a_windows_is_judged() {
    let (status, error) = altered("settle-windows", |document| {
        document["environment"]["kernel"] = "NT 10.0.19045".into();
        document["environment"]["wine"] = "none".into();
    });
    assert_eq!(status, Some(0), "{error}");
}

#[test]
fn a_machine_whose_rules_are_not_open_is_refused() {
    let output = run("settle", &["--on", "windows-7"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("windows-10-2004"));
}
