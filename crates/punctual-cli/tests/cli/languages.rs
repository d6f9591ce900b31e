//! `punctual windows` as a person or a script uses it. Everything happens in virtual time.

use crate::command::{Punctual, fits_80_columns, folder};
use std::fs;

const LANGUAGES: Punctual = Punctual(&["windows", "--count", "50"]);

#[test]
fn the_table_has_a_row_per_language_and_says_how_far_each_figure_can_be_trusted() {
    let text = LANGUAGES.text(&[]);
    fits_80_columns(&text);
    let row = |label: &str| {
        let found = text.lines().find(|line| line.starts_with(label));
        let cells = found.unwrap_or_else(|| panic!("{label} is not in\n{text}"));
        let cells = cells[label.len()..].split_whitespace();
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    // It runs on no XP, and waits for a tick everywhere else.
    let python = row("Python ≤3.10");
    assert_eq!(python[0], "–", "{text}");
    assert!(python[1..].iter().all(|cell| cell == "15.6+"), "{text}");
    // High-resolution timers, where there are some; the evidence contradicts their rule.
    let python = row("Python ≥3.11");
    assert_eq!(python[2], "15.6+", "{text}");
    assert!(python[3..].iter().all(|cell| cell.ends_with('!')), "{text}");
    assert!(
        text.contains("high-resolution is contradicted by"),
        "{text}"
    );
}

#[test]
fn a_request_of_another_process_shortens_waits_up_to_1909() {
    let on = ["--on", "windows-10-1909", "--on", "windows-10-2004"];
    let of = ["--persona", "python-3.10", "--with", "requester=5ms"];
    let table = LANGUAGES.json(&[&on[..], &of].concat());
    assert_eq!(table["schema"], "punctual.languages/1");
    let cells = &table["rows"][0]["cells"];
    let mean_ms = |cell: usize| cells[cell]["mean_ns"].as_u64().unwrap() as f64 / 1e6;
    assert!((mean_ms(0) - 5.0).abs() < 0.1, "{cells}");
    assert!((mean_ms(1) - 15.0).abs() < 0.1, "{cells}");
    // The published table is about Sleep, and not about a language.
    assert_eq!(cells[0]["confidence"]["level"], "rule_measured_elsewhere");
    assert_eq!(cells[0]["count"], 50);
}

#[test]
fn an_unusual_machine_is_at_best_inferred() {
    let on = ["--on", "windows-7,processors=2", "--persona", "python-3.10"];
    let table = LANGUAGES.json(&on);
    let confidence = &table["rows"][0]["cells"][0]["confidence"];
    assert_eq!(confidence["level"], "inferred");
    assert_eq!(confidence["unusual"][0], "processors=2");
}

#[test]
fn a_table_becomes_a_picture() {
    let folder = folder("languages");
    let (table, picture) = (folder.join("table.json"), folder.join("picture.svg"));
    let [table, picture] = [&table, &picture].map(|path| path.to_str().unwrap());
    let json = LANGUAGES.text(&["--json", "--on", "windows-7", "--on", "windows-11"]);
    fs::write(table, json).unwrap();
    let report = ["report", picture, "--figure", "languages", "--from", table];
    Punctual(&[]).text(&report);
    let drawn = fs::read_to_string(picture).unwrap();
    assert!(drawn.contains("Python ≤3.10") && drawn.contains("15.6+"));
}
