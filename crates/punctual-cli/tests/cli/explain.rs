//! `punctual explain` of recorded traces, which works on any system.

use crate::command::{Punctual, fits_80_columns, folder, stderr};
use serde_json::Value;
use std::fs;
use std::path::Path;

const EXPLAIN: Punctual = Punctual(&["explain"]);

fn recorded(name: &str) -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let path = crates.join("punctual-trace/tests/traces").join(name);
    path.into_os_string().into_string().unwrap()
}

const RECORDINGS: [&str; 7] = [
    "idle.trace",
    "busy.trace",
    "waking-before-switch.trace",
    "exits.trace",
    "overrun.trace",
    "wakers.trace",
    "frames.trace",
];

/// Explanations count, add up, and name their causes.
pub fn check(explanation: &Value) {
    assert_eq!(explanation["schema"], "punctual.explanation/6");
    let count = |key: &str| explanation[key].as_u64().unwrap();
    let wakeups = explanation["wakeups"].as_array().unwrap();
    assert_eq!(count("of"), wakeups.len() as u64);
    let mut explained = 0;
    for up in wakeups {
        if up["verdict"] == "exact" || up["verdict"] == "ambiguous" {
            explained += 1;
            let segments = up["segments"].as_array().unwrap();
            let sum: u64 = segments
                .iter()
                .map(|part| part["ns"].as_u64().unwrap())
                .sum();
            assert_eq!(up["lateness_ns"], sum);
        }
    }
    assert_eq!(count("exact") + count("ambiguous"), explained);
    let causes = explanation["causes"].as_array().unwrap();
    let total: u64 = causes
        .iter()
        .map(|row| row["total_ns"].as_u64().unwrap())
        .sum();
    assert_eq!(explanation["lateness_ns"], total);
    assert!(explanation["processors"].is_array());
}

#[test]
fn recordings_are_explained_anywhere() {
    for name in RECORDINGS {
        check(&EXPLAIN.json(&["--from", &recorded(name)]));
    }
}

#[test]
fn the_report_fits_80_columns_and_has_everything() {
    for name in RECORDINGS {
        let text = EXPLAIN.text(&["--long", "--from", &recorded(name)]);
        fits_80_columns(&text);
        for part in ["explained", "Where the lateness went", "worst", "█", "why:"] {
            assert!(text.contains(part), "{name} lacks {part}: {text}");
        }
    }
    let overrun = EXPLAIN.text(&["--from", &recorded("overrun.trace")]);
    assert!(overrun.contains("events were lost"), "{overrun}");
}

#[test]
fn a_broken_bound_is_told_by_the_exit_status() {
    let busy = recorded("busy.trace");
    for (bounds, status) in [
        (&["p99>1s", "throttled>0ns", "unexplained>0"][..], 0),
        (&["p99>1s", "max>1ms"], 3),
        (&["run-queue-wait>1ms"], 3),
    ] {
        let flags = bounds.iter().flat_map(|bound| ["--fail-if", bound]);
        let arguments: Vec<_> = ["--from", &busy].into_iter().chain(flags).collect();
        let output = EXPLAIN.run(&arguments);
        assert_eq!(output.status.code(), Some(status), "{bounds:?}");
        let is_told = stderr(&output).contains("bound broken");
        assert_eq!(is_told, status == 3, "{bounds:?}");
        // What was found is shown in any case.
        assert!(!output.stdout.is_empty());
    }
}

/// Each of the worst can be found again: when, where, and by whom it was delayed.
#[test]
fn the_worst_are_told_with_their_time_and_place() {
    let explanation = EXPLAIN.json(&["--from", &recorded("busy.trace")]);
    for up in explanation["wakeups"].as_array().unwrap() {
        let (deadline, woke) = (up["deadline_ns"].as_u64(), up["woke_ns"].as_u64());
        let late = woke.zip(deadline).map(|(woke, deadline)| woke - deadline);
        assert_eq!(late, up["lateness_ns"].as_u64());
        assert_eq!(up["processor"], 0);
    }
    let text = EXPLAIN.text(&["--long", "--from", &recorded("busy.trace")]);
    assert!(text.contains(" s on processor 0"), "{text}");
    assert!(text.contains("rustc, nice 10"), "{text}");
    let sleeps = EXPLAIN.text(&["--long", "--from", &recorded("exits.trace")]);
    assert!(sleeps.contains("at most ="), "{sleeps}");
}

#[test]
fn the_first_sentence_is_the_answer_and_the_rest_fits_a_screen() {
    for (name, answer) in [
        (
            "busy.trace",
            "30 of 40 wake-ups on time, within 1 ms; the worst came 4.94 ms late: lto 2mgmqlsaoup-12585 had the \
             processor for 4.82 ms of that.",
        ),
        (
            "lock.trace",
            "holder-9938 had the lock for 3.25 ms of that.",
        ),
        (
            "throttled.trace",
            "the worst came 11.4 ms late: 11.2 ms of that was throttled.",
        ),
        ("overrun.trace", "and the trace can't tell why."),
    ] {
        let text = EXPLAIN.text(&["--from", &recorded(name)]);
        fits_80_columns(&text);
        let (first, rest) = text.split_once("\n\n").unwrap();
        assert!(first.replace('\n', " ").ends_with(answer), "{name}: {text}");
        assert!(rest.lines().count() <= 30, "{name}: {text}");
    }
}

/// Pages that cannot be read are a fault of the file, whichever way it is read.
#[test]
fn a_trace_that_cannot_be_read_is_named() {
    let bytes = fs::read(recorded("busy.trace")).unwrap();
    let word = b"timestamp";
    let at = bytes.windows(word.len()).position(|found| found == word);
    let mut damaged = bytes.clone();
    damaged[at.unwrap()..][..word.len()].copy_from_slice(b"tamestimp");
    let folder = folder("explain-damaged");
    let (file, picture) = (folder.join("damaged.trace"), folder.join("picture"));
    fs::write(&file, damaged).unwrap();
    let [file, picture] = [&file, &picture].map(|path| path.to_str().unwrap());
    EXPLAIN.refuses(&["--from", file], "--from", "damaged.trace");
    EXPLAIN.refuses(
        &["--from", file, "--perfetto", picture],
        "--from",
        "damaged.trace",
    );
}

#[test]
fn who_woke_a_thread_is_told() {
    let file = recorded("wakers.trace");
    let text = EXPLAIN.text(&["--long", "--from", &file, "--thread", "painter"]);
    fits_80_columns(&text);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["woken by metronome-", "woken by timer interrupt"] {
        assert!(words.contains(part), "{text}");
    }
    // Without the flag, a timer ends every wait that is explained.
    let explanation = EXPLAIN.json(&["--from", &recorded("frames.trace")]);
    assert_eq!(explanation["of"], 10);
}

#[test]
fn a_saved_trace_of_a_program_is_explained_with_another_period() {
    let file = recorded("wakers.trace");
    let counted = |period: &str| EXPLAIN.json(&["--from", &file, "--period", period]);
    let note = |explanation: &Value| explanation["notes"].to_string();
    let kept = counted("2ms");
    check(&kept);
    assert!(note(&kept).contains("deadlines 2.00 ms apart"), "{kept}");
    // Every other wait is one between two deadlines.
    let double = counted("4ms");
    assert!(note(&double).contains("another one belongs"), "{double}");
}

#[test]
fn of_nothing_it_is_said_what_is_known() {
    // Its threads have ended when those of the next trace begin.
    let file = recorded("exits.trace");
    let bytes = std::fs::read(&file).unwrap();
    let threads = bytes
        .windows(11)
        .position(|at| at == b"\"threads\":[")
        .unwrap();
    let mut another = bytes.clone();
    let end = threads + bytes[threads..].iter().position(|&at| at == b',').unwrap();
    another[end - 1] = b'0' + (another[end - 1] - b'0' + 5) % 10;
    let folder = crate::command::folder("explain-nothing");
    let copy = folder.join("nothing.trace");
    std::fs::write(&copy, another).unwrap();
    let explanation = EXPLAIN.json(&["--from", copy.to_str().unwrap()]);
    assert_eq!(explanation["of"], 0);
    let notes = explanation["notes"].to_string();
    for part in ["nanosleep", "not recorded", "--wakeups"] {
        assert!(notes.contains(part), "{notes}");
    }
}
