//! `punctual compare` on recordings of simulated machines, which are the same every time.

use crate::command::{Punctual, fits_80_columns, folder};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const PUNCTUAL: Punctual = Punctual(&[]);
const COMPARE: Punctual = Punctual(&["compare"]);

/// A folder of recordings.
struct Recordings(PathBuf);

impl Recordings {
    fn new(test: &str) -> Self {
        Self(folder(&format!("compare-{test}")))
    }

    fn measured(&self, name: &str, on: &str, seed: &str) -> String {
        let wanted = ["measure", "--json", "--method", "waitable-abs", "--on", on];
        let how = ["--with", "sleepers=5", "--count", "2000", "--seed", seed];
        self.file(name, &PUNCTUAL.text(&[wanted, how].concat()))
    }

    fn file(&self, name: &str, content: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

#[test]
fn the_same_machine_twice_has_not_changed_and_another_version_has() {
    let files = Recordings::new("twice");
    let old = files.measured("old.json", "windows-7", "1");
    let again = files.measured("again.json", "windows-7", "2");
    let other = files.measured("raised.json", "windows-7,default-interval=10ms", "1");

    let compared = COMPARE.json(&[&old, &again, &other]);
    assert_eq!(compared["schema"], "punctual.comparison/4");
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
    COMPARE.text(&["--strict", &old, &again]);
}

#[test]
fn people_get_a_table_that_fits_and_names_what_differs() {
    let files = Recordings::new("table");
    let old = files.measured("old.json", "windows-7", "1");
    let new = files.measured("new.json", "windows-10-1909", "1");
    let table = COMPARE.text(&["--long", &old, &new]);
    assert!(table.contains("differs:") && table.contains("windows-10-1909"));
    for word in ["waitable-abs", "99 % interval", "p99.9", "processor"] {
        assert!(table.contains(word), "{word} is not in:\n{table}");
    }
    let rows = table
        .lines()
        .filter(|line| line.starts_with("waitable-abs"));
    assert!(rows.clone().count() >= 5);
    rows.for_each(fits_80_columns);
}

impl Recordings {
    fn explained(&self, name: &str, how: &[&str]) -> String {
        let wanted = ["explain", "--json", "--count", "300", "--on"];
        self.file(name, &PUNCTUAL.text(&[&wanted, how].concat()))
    }
}

#[test]
fn explanations_tell_which_cause_grew() {
    let files = Recordings::new("explained");
    let idle = files.explained("idle.json", &["windows-10-2004"]);
    let again = files.explained("again.json", &["windows-10-2004", "--seed", "2"]);
    let loaded = files.explained("loaded.json", &["windows-10-2004", "--load", "cpu:6"]);

    let compared = COMPARE.json(&[&idle, &again, &loaded]);
    assert_eq!(compared["schema"], "punctual.comparison/4");
    let comparison = |index: usize| &compared["comparisons"][index];
    assert_eq!(comparison(0)["mean"]["verdict"], "no change");
    assert_eq!(comparison(1)["mean"]["verdict"], "higher");
    // The greatest change is the first.
    let grown = &comparison(1)["causes"][0];
    assert_eq!(
        (&grown["cause"], &grown["verdict"]),
        (&"run-queue-wait".into(), &"higher".into())
    );
    assert_eq!(comparison(1)["culprits"][0]["occupant"], "load");
    // The causes of a side are its mean lateness.
    for index in [0, 1] {
        for side in ["baseline_ns", "other_ns"] {
            let causes = comparison(index)["causes"].as_array().unwrap();
            let sum: f64 = causes.iter().map(|row| row[side].as_f64().unwrap()).sum();
            let mean = comparison(index)["mean"][side].as_f64().unwrap();
            assert!((sum - mean).abs() < 1.0, "{sum} {mean}");
        }
    }

    let text = COMPARE.text(&["--long", &idle, &loaded]);
    // A path is as long as it is.
    let lines = text.lines().filter(|line| !line.contains("json"));
    lines.for_each(fits_80_columns);
    for word in ["99 % interval", "higher", "load", "differs:", "not judged"] {
        assert!(text.contains(word), "{word} is not in:\n{text}");
    }
    COMPARE.refuses(&["--strict", &idle, &loaded], "loaded.json", "load cpu:6");
}

#[test]
fn the_first_sentence_is_the_answer() {
    let first = |arguments: &[&str]| {
        let text = COMPARE.text(arguments);
        text.split("\n\n").next().unwrap().replace('\n', " ")
    };
    let on = ["--on", "windows-10-2004", "--on", "windows-10-1909"];
    let how = ["--method", "wait-object", "--with", "requester=2ms"];
    let expected = "wait-object wakes 0.12 × as late at p99 in windows-10-1909 as in windows-10-2004. Of all: 1 lower.";
    assert_eq!(first(&[on, how].concat()), expected);
    let how = ["--count", "5", "--method", "sleep"];
    assert!(first(&[on, how].concat()).starts_with("Can't tell whether"));
    let files = Recordings::new("answer");
    let idle = files.explained("idle.json", &["windows-10-2004"]);
    let loaded = files.explained("loaded.json", &["windows-10-2004", "--load", "cpu:6"]);
    let answer = first(&[&idle, &loaded]);
    assert!(
        answer.contains("higher on average, +") && answer.contains("; run-queue-wait the most, +"),
        "{answer}"
    );
}

#[test]
fn simulated_machines_are_measured_and_compared_at_once() {
    let two = ["--on", "windows-10-1909", "--on", "windows-10-2004"];
    let how = ["--with", "requester=2ms", "--method", "sleep"];
    let compared = COMPARE.json(&[two, how].concat());
    let comparison = &compared["comparisons"][0];
    assert_eq!(comparison["other"], "windows-10-2004");
    // The Great Rule Change: another process's request no longer helps.
    assert_eq!(
        comparison["methods"][0]["statistics"][0]["verdict"],
        "higher"
    );
}
