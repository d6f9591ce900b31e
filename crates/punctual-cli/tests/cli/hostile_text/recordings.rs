//! Documents of other commands, as `report` and `compare` read them.

use super::damage::damaged_where;
use super::{
    HOSTILE, PUNCTUAL, SHOWN, SHOWN_IN_MARKDOWN, harmless_page, page_shows, quotes, run,
    shows_in_all_formats, shows_in_json,
};
use crate::command::{RECORDED, folder};
use punctual_lab::Environment;
use punctual_lab::calls;
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::measure::{Question, Recording, SeriesRecord};
use punctual_lab::pace::PaceRecording;
use punctual_trace::Report;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn made_by(command: &str) -> Value {
    let words: Vec<_> = command.split(' ').collect();
    PUNCTUAL.json(&words)
}

fn recorded() -> Value {
    serde_json::from_slice(&fs::read(RECORDED).unwrap()).unwrap()
}

fn accounts(measured: &Value) -> Value {
    json!({
        "schema": "punctual.explanation/6",
        "punctual_version": "0.1.0",
        "question": measured["question"],
        "subject": "a loop",
        "refused": "it was refused",
        "environment": recorded()["environment"],
        "environment_changes": [],
        "involuntary_switches": 0,
        "times_throttled": 0,
        "steal_ns": 0,
        "series": measured["series"][0],
        "wakeups": [{"lateness_ns": 5, "timer_ns": 3, "queue_ns": 2}],
    })
}

/// Whether a document's type reads this.
type Reads = fn(&Value) -> bool;

fn reads<T: DeserializeOwned>(document: &Value) -> bool {
    T::deserialize(document).is_ok()
}

/// An explanation's type belongs to the command; these are its parts.
fn reads_explained(document: &Value) -> bool {
    reads::<Report>(document)
        && reads::<Option<Question>>(&document["question"])
        && document["system"] != HOSTILE
}

fn reads_accounts(document: &Value) -> bool {
    reads::<Question>(&document["question"])
        && reads::<Environment>(&document["environment"])
        && reads::<SeriesRecord>(&document["series"])
}

/// A document of each kind, with a name for it.
fn documents() -> Vec<(&'static str, Value, Reads)> {
    let measured = made_by("measure --on windows-7 --count 20 --method sleep");
    let paced = made_by("measure --beat --on windows-xp --duration 200ms --method sleep");
    let clocks = made_by("doctor clocks --on windows-7,processors=1 --quick");
    let varied = made_by("measure --for 1ms --on windows-8 --count 20 --vary requester=1ms");
    let explained = made_by("explain --on windows-7 --count 3");
    vec![
        ("accounts", accounts(&measured), reads_accounts),
        ("measured", measured, reads::<Recording>),
        ("recorded", recorded(), reads::<Recording>),
        ("paced", paced, reads::<PaceRecording>),
        ("clocks", clocks, reads::<ClocksRecording>),
        ("varied", varied, reads::<calls::Recording>),
        ("explained", explained, reads_explained),
    ]
}

#[test]
fn in_documents_of_every_kind_does_nothing_to_a_page() {
    let folder = folder("hostile-documents");
    for (name, document, reads) in documents() {
        let is_known = |tried: &Value| tried["schema"] == document["schema"];
        let damaged = damaged_where(&document, |tried| is_known(tried) && reads(tried));
        let (file, page) = (folder.join(name), folder.join(format!("{name}.html")));
        fs::write(&file, damaged.to_string()).unwrap();
        let [from, to] = [&file, &page].map(|name| name.to_str().unwrap());
        let said = run(&mut PUNCTUAL.with(&["report", to, "--from", from]));
        assert!(said.succeeded, "{name}: {}", said.complained);
        page_shows(&page);
        draws(&file, &folder.join(format!("{name}.svg")));
    }
}

/// Draws every figure for which the document has something.
fn draws(file: &Path, picture: &Path) {
    let [from, to] = [file, picture].map(|name| name.to_str().unwrap());
    for figure in ["lateness", "histogram", "timeline", "drift", "pace", "vary"] {
        let arguments = ["report", to, "--figure", figure, "--from", from];
        if run(&mut PUNCTUAL.with(&arguments)).succeeded {
            harmless_page(picture);
        }
    }
}

/// Writes a recording into a folder, with the hostile text wherever this version reads it.
fn damaged_recording(folder: &Path, original: &Value) -> PathBuf {
    let file = folder.join("damaged.json");
    let reads = |tried: &Value| Recording::from_json(&tried.to_string()).is_ok();
    let damaged = damaged_where(original, reads);
    fs::write(&file, damaged.to_string()).unwrap();
    file
}

#[test]
fn in_recordings_does_nothing_to_a_comparison() {
    let folder = folder("hostile-compared");
    let damaged = damaged_recording(&folder, &recorded());
    let damaged = damaged.to_str().unwrap();
    shows_in_all_formats(&["compare", damaged, damaged]);
    let said = run(&mut PUNCTUAL.with(&["compare", RECORDED, damaged]));
    assert!(said.succeeded, "{}", said.complained);
    quotes(&mut PUNCTUAL.with(&["compare", "--strict", RECORDED, damaged]));
}

#[test]
fn in_explanations_does_nothing_to_a_comparison() {
    let folder = folder("hostile-explanations");
    let explained = made_by("explain --on windows-7 --count 20");
    let other = made_by("explain --on windows-xp --count 20");
    let damage = |document: &Value| {
        let is_known = |tried: &Value| tried["schema"] == document["schema"];
        damaged_where(document, |tried| is_known(tried) && reads_explained(tried))
    };
    let files = [("damaged", damage(&explained)), ("other", other)].map(|(name, document)| {
        let file = folder.join(name);
        fs::write(&file, document.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    });
    let [damaged, other] = &files;
    let compared = ["compare", other, damaged];
    // The sheet has only numbers and causes.
    for (format, shown) in [
        ("", SHOWN),
        ("--markdown", SHOWN_IN_MARKDOWN),
        ("--csv", "slack"),
    ] {
        let format = (!format.is_empty()).then_some(format);
        let arguments: Vec<_> = compared.into_iter().chain(format).collect();
        let said = run(&mut PUNCTUAL.with(&arguments));
        assert!(said.succeeded, "{}", said.complained);
        assert!(said.printed.contains(shown), "{format:?}: {}", said.printed);
    }
    shows_in_json(&compared);
    quotes(&mut PUNCTUAL.with(&["compare", "--strict", other, damaged]));
}

#[test]
fn in_what_is_no_document_is_quoted() {
    let folder = folder("hostile-refused");
    let file = folder.join("refused.json");
    let page = folder.join("page.html");
    let [file, page] = [&file, &page].map(|name| name.to_str().unwrap());
    let mut unknown = recorded();
    unknown["question"]["load"] = HOSTILE.into();
    for document in [json!({"schema": HOSTILE}), unknown] {
        fs::write(file, document.to_string()).unwrap();
        quotes(&mut PUNCTUAL.with(&["report", page, "--from", file]));
    }
    for text in [HOSTILE.to_owned(), format!("{{{HOSTILE:?}: 1}}")] {
        fs::write(file, text).unwrap();
        for arguments in [
            &["report", page, "--from", file][..],
            &["compare", file, file],
        ] {
            assert!(!run(&mut PUNCTUAL.with(arguments)).succeeded);
        }
    }
}
