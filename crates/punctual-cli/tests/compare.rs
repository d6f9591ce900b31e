//! `punctual compare` from the outside, on recordings of simulated machines: the same every time.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

fn punctual(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_punctual");
    Command::new(program).args(args).output().unwrap()
}

/// A directory of recordings that is gone when the test ends.
struct Recordings(PathBuf);

impl Recordings {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("punctual-{test}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn measured(&self, name: &str, on: &str, seed: &str) -> String {
        let wanted = ["measure", "--json", "--method", "waitable-abs", "--on", on];
        let how = ["--with", "sleepers=5", "--count", "2000", "--seed", seed];
        let output = punctual(&[&wanted[..], &how[..]].concat());
        assert!(output.status.success());
        self.file(name, &output.stdout)
    }

    fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        text(&path)
    }
}

impl Drop for Recordings {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_same_machine_twice_has_not_changed_and_another_version_has() {
    let files = Recordings::new("twice");
    let old = files.measured("old.json", "windows-7", "1");
    let again = files.measured("again.json", "windows-7", "2");
    let other = files.measured("raised.json", "windows-7,default-interval=10ms", "1");

    let output = punctual(&["compare", "--json", &old, &again, &other]);
    assert!(output.status.success(), "{}", stderr(&output));
    let compared: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(compared["schema"], "punctual.comparison/1");
    let verdicts = |index: usize| -> Vec<Value> {
        let methods = &compared["comparisons"][index]["methods"][0];
        let statistics = methods["statistics"].as_array().unwrap();
        statistics
            .iter()
            .map(|found| found["verdict"].clone())
            .collect()
    };
    let (p50, mean) = (0, 4);
    assert_eq!(verdicts(0)[p50], "no change");
    assert_eq!(verdicts(0)[mean], "no change");
    assert_eq!(verdicts(1)[p50], "lower");
    assert_eq!(verdicts(1)[mean], "lower");
}

#[test]
fn people_get_a_table_that_fits_and_names_what_differs() {
    let files = Recordings::new("table");
    let old = files.measured("old.json", "windows-7", "1");
    let new = files.measured("new.json", "windows-10-1909", "1");
    let output = punctual(&["compare", &old, &new]);
    assert!(output.status.success());
    let table = stdout(&output);
    assert!(table.contains("differs:") && table.contains("windows-10-1909"));
    for word in ["waitable-abs", "99 % interval", "p99.9", "processor"] {
        assert!(table.contains(word), "{word} is not in:\n{table}");
    }
    let rows = table.lines().filter(|line| line.starts_with("  p"));
    assert!(rows.clone().count() >= 5);
    assert!(rows.clone().all(|row| row.chars().count() <= 80), "{table}");
    assert!(!table.contains('\u{1b}'), "colour is for terminals");
}

#[test]
fn strictness_refuses_other_conditions() {
    let files = Recordings::new("strict");
    let old = files.measured("old.json", "windows-7", "1");
    let new = files.measured("new.json", "windows-xp", "1");
    assert!(
        punctual(&["compare", "--strict", &old, &old])
            .status
            .success()
    );
    let refused = punctual(&["compare", "--strict", &old, &new]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("windows-xp"));
    assert!(refused.stdout.is_empty());
}

#[test]
fn what_cannot_be_compared_is_named() {
    let files = Recordings::new("bad");
    let good = files.measured("good.json", "windows-7", "1");
    let bad = files.file(
        "bad.json",
        b"{\"schema\": \"punctual.recording/2\",\n \"oops\"}",
    );
    let refused = punctual(&["compare", &good, &bad]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("bad.json") && stderr(&refused).contains("line 2"));

    let missing = punctual(&["compare", &good, "/nowhere.json"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("/nowhere.json"));

    assert_eq!(punctual(&["compare", &good]).status.code(), Some(2));
}

#[test]
fn simulated_machines_are_measured_and_compared_at_once() {
    let two = ["--on", "windows-10-1909", "--on", "windows-10-2004"];
    let how = ["--with", "requester=2ms", "--method", "sleep", "--json"];
    let output = punctual(&[&["compare"], &two[..], &how[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let compared: Value = serde_json::from_slice(&output.stdout).unwrap();
    let comparison = &compared["comparisons"][0];
    assert_eq!(comparison["other"], "windows-10-2004");
    // The Great Rule Change: another's request no longer helps.
    assert_eq!(
        comparison["methods"][0]["statistics"][0]["verdict"],
        "higher"
    );

    let alone = punctual(&["compare", "--on", "windows-7"]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(stderr(&alone).contains("once more"));
    assert_eq!(punctual(&["compare"]).status.code(), Some(2));
}
