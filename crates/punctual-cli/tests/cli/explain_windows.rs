//! `punctual explain` of simulated machines, and of the text of Windows traces.

use crate::command::{Punctual, fits_80_columns, folder};
use crate::effort;
use serde_json::Value;
use std::fs;

const EXPLAIN: Punctual = Punctual(&["explain"]);

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

/// The share of a cause in the whole lateness.
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
        if ["exact", "ambiguous"].contains(&up["verdict"].as_str().unwrap()) {
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
    let count = effort(50, 200);
    for machine in MACHINES {
        for method in ["sleep", "wait-object", "nt-delay", "waitable", "punctual"] {
            let explanation = EXPLAIN.json(&[
                "--on",
                machine,
                "--method",
                method,
                "--count",
                &count.to_string(),
                "--load",
                "cpu:2",
            ]);
            assert_eq!(
                explanation["exact"], count,
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
        let loops = ["--on", "windows-10-2004", "--period", "5ms"];
        EXPLAIN.json(&[&loops[..], request].concat())
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
    let report = EXPLAIN.text(&[
        "--on",
        "windows-10-1909",
        "--with",
        "requester=1ms",
        "--with",
        "sleepers=20",
        "--load",
        "cpu",
    ]);
    fits_80_columns(&report);
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
fn what_a_simulated_machine_did_is_explained_alike_from_its_text_and_its_log() {
    for name in ["trace.txt", "trace.etl"] {
        is_explained_alike(folder("explain-saved").join(name).to_str().unwrap());
    }
}

fn is_explained_alike(file: &str) {
    // Most other periods are none to the loop: it waits from where it is, a tick late, and the grid is said to
    // be missing.
    let loops = [
        "--on",
        "windows-10-2004",
        "--period",
        "50ms",
        "--load",
        "cpu",
        "--count",
        "100",
    ];
    let simulated = EXPLAIN.json(&[&loops[..], &["--save", file]].concat());
    let read = EXPLAIN.json(&["--from", file, "--thread", "main", "--period", "50ms"]);
    check_sums(&read);
    assert_eq!(simulated["exact"], 100);
    assert!(number(&read["exact"]) >= 100, "the warm-up is in it, too");
    let main_causes = ["slack", "run-queue-wait"];
    for cause in main_causes {
        let difference = share(&simulated, cause) - share(&read, cause);
        assert!(difference.abs() < 0.1, "{cause}: {difference}");
    }
    assert!(read["notes"][0].as_str().unwrap().contains("50.0 ms apart"));
    let undated = EXPLAIN.json(&["--from", file, "--thread", "MAIN"]);
    assert_eq!(share(&undated, "slack"), 0.0, "counted from the interrupt");
    let report = EXPLAIN.text(&["--from", file, "--thread", "main"]);
    fits_80_columns(&report);
}

#[test]
fn a_picture_is_written() {
    let file = folder("explain-picture").join("picture.pftrace");
    let file = file.to_str().unwrap();
    EXPLAIN.text(&["--on", "windows-7", "--count", "50", "--perfetto", file]);
    let picture = fs::read(file).unwrap();
    let has = |text: &str| {
        picture
            .windows(text.len())
            .any(|found| found == text.as_bytes())
    };
    assert!(has("Wake-ups of main-12") && has("deadline") && has("slack: main-12"));
    assert!(has("processor 0") && has("timer interrupt"));
}

#[test]
fn a_line_that_cannot_be_read_is_left_out_and_said() {
    let file = folder("explain-left-out").join("trace.txt");
    let file = file.to_str().unwrap();
    EXPLAIN.text(&["--on", "windows-7", "--count", "20", "--save", file]);
    let text = fs::read_to_string(file).unwrap() + "CSwitch, soon\n";
    fs::write(file, text).unwrap();
    let read = EXPLAIN.json(&["--from", file, "--thread", "main"]);
    assert!(number(&read["exact"]) > 0);
    let notes = read["notes"].to_string();
    assert!(
        notes.contains("could not be read: 1") && notes.contains("CSwitch has"),
        "{notes}"
    );
}

/// It would take gigabytes and hours. A loop that sleeps fills the log; one that spins hardly does.
#[test]
fn a_loop_that_would_take_all_memory_is_explained_until_it_is_full() {
    const MOST_WAKE_UPS: u64 = 1 << 16;
    for (method, period) in [("spin", "1us"), ("sleep", "1ms")]
        .iter()
        .take(effort(1, 2) as usize)
    {
        let asked = ["--on", "windows-7", "--method", method, "--period", period];
        let text = EXPLAIN.text(&[&asked[..], &["--count", "1000000000"]].concat());
        assert!(text.contains("ended when it was full"), "{text}");
        let line = text.lines().find(|line| line.contains("explained: "));
        let words: Vec<_> = line.unwrap().split_whitespace().collect();
        let [explained, of] = [words[0], words[2]].map(|word| word.parse::<u64>().unwrap());
        assert!(of < MOST_WAKE_UPS && explained == of, "{text}");
    }
}
