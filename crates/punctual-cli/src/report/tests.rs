//! Whole pages: well-formed with any recordings, and the same every time.

use super::document::Document;
use super::{FigureArg, Material, commands, page, picture};
use crate::command_line::Args;
use clap::{Parser, ValueEnum};
use serde_json::{Value, json};

mod documents;
mod extremes;
mod verdict;

use documents::{
    RECORDED, accounts, clocks, explanation, languages, pace, recording, requests, simulated, slack,
};

fn material(documents: &[String]) -> Material {
    let documents = documents
        .iter()
        .map(|text| Document::from_json(text).unwrap());
    Material {
        documents: documents.collect(),
        lacking: vec!["punctual <nothing> failed: \"&\"".to_owned()],
    }
}

/// The page, after checks: an XML parser accepts it, nothing in it runs, and nothing in it is
/// fetched.
fn checked(documents: &[String]) -> String {
    let page = page::page(&material(documents));
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let parsed = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let mut ids = std::collections::BTreeSet::new();
    for element in parsed.descendants().filter(roxmltree::Node::is_element) {
        let name = element.tag_name().name();
        assert!(
            !["script", "link", "img", "iframe", "a"].contains(&name),
            "{name}"
        );
        for attribute in element.attributes() {
            let name = attribute.name();
            assert!(
                !name.starts_with("on") && name != "src" && name != "href",
                "{name}"
            );
            assert!(!attribute.value().contains("NaN"), "{name}");
            assert!(
                name != "id" || ids.insert(attribute.value()),
                "twice: {name}"
            );
        }
        if name == "svg" {
            assert_eq!(element.attribute("role"), Some("img"));
            let named = element.attribute("aria-labelledby").unwrap();
            assert_eq!(named.split(' ').count(), 2);
            assert!(
                named
                    .split(' ')
                    .all(|id| ids_of(element).any(|has| has == id)),
                "{named}"
            );
        }
    }
    page
}

fn ids_of<'a>(element: roxmltree::Node<'a, 'a>) -> impl Iterator<Item = &'a str> {
    element
        .descendants()
        .filter_map(|inside| inside.attribute("id"))
}

fn everything() -> Vec<String> {
    vec![
        RECORDED.to_owned(),
        simulated(),
        requests("windows-7", 2_000_000),
        explanation(),
        pace(),
        slack(),
        clocks(),
        accounts(),
        languages(),
        requests("windows-11", 0),
        requests("windows-8", 2_000_001),
    ]
}

#[test]
fn everything_is_on_the_page_and_the_same_every_time() {
    let page = checked(&everything());
    let sections = [
        "Machine",
        "Lateness",
        "The worst wake-ups and their causes",
        "Pace over time",
        "Clocks",
        "This machine, and predictions for every Windows",
        "What another process's request costs",
        "What a timer slack costs",
        "The sleeps of languages",
        "How each part was measured",
    ];
    for section in sections {
        assert!(page.contains(&format!("<h2>{section}</h2>")), "{section}");
    }
    assert_eq!(page, checked(&everything()));
}

/// A picture of all documents, after checks: an XML parser accepts it, it has a text alternative,
/// and it fetches nothing.
fn checked_picture(wanted: FigureArg, documents: &[String]) -> String {
    // Most figures show one document alone.
    let documents: Vec<_> = match wanted {
        FigureArg::Predictions => documents.to_vec(),
        FigureArg::Languages => vec![languages()],
        _ => [&documents[..1], &documents[2..5]].concat(),
    };
    let picture = picture::picture(wanted, &material(&documents).documents).unwrap();
    let parsed = roxmltree::Document::parse(&picture).unwrap();
    let root = parsed.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    let named = root.attribute("aria-labelledby").unwrap();
    assert!(
        named.split(' ').all(|id| ids_of(root).any(|has| has == id)),
        "{named}"
    );
    assert!(!picture.contains("url(") && !picture.contains("href") && !picture.contains("@import"));
    assert!(picture.contains("prefers-color-scheme") && !picture.contains("NaN"));
    picture
}

#[test]
fn every_figure_can_stand_alone() {
    for figure in FigureArg::value_variants() {
        let drawn = checked_picture(*figure, &everything());
        assert_eq!(drawn, checked_picture(*figure, &everything()));
        assert!(drawn.contains("<desc") && drawn.contains("class=\"title\""));
    }
}

#[test]
fn a_figure_of_what_is_not_there_is_refused_with_what_it_takes() {
    let refused = |wanted, documents: &[String]| {
        picture::picture(wanted, &material(documents).documents).unwrap_err()
    };
    assert!(refused(FigureArg::Vary, &[pace()]).contains("'measure --vary'"));
    let twice = [RECORDED.to_owned(), simulated()];
    assert!(refused(FigureArg::Lateness, &twice).contains("2 such files"));
    assert!(refused(FigureArg::Predictions, &[RECORDED.to_owned()]).contains("two machines"));
}

#[test]
fn the_commands_on_the_page_are_commands() {
    let documents = everything();
    let made = documents
        .iter()
        .filter(|text| !text.contains("\"question\":null"))
        .map(|text| commands::made(&Document::from_json(text).unwrap()).command);
    for command in made {
        let parsed = Args::try_parse_from(command.split(' '));
        assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
    }
}

#[test]
fn what_is_varied_is_drawn_and_said_by_condition() {
    let page = checked(&[
        requests("windows-7", 2_000_000),
        requests("windows-11", 16_000_000),
    ]);
    let predicted = "Under another process&#39;s request of 1.00 ms, the mean of sleep is predicted to be 1.00 ms on \
                     windows-7 (inferred), 1.00 ms on windows-11 (inferred).";
    assert!(
        page.contains(predicted) || page.contains(&predicted.replace("&#39;", "'")),
        "{page}"
    );
    assert!(page.contains("--vary requester=1ms,2ms"));
    let drawn = picture::picture(FigureArg::Vary, &material(&[slack()]).documents).unwrap();
    assert!(
        drawn.contains("a timer slack") && drawn.contains("sleep, p99"),
        "{drawn}"
    );
    let alone = checked(&[slack()]);
    assert!(alone.contains("sleep takes 1.00 ms in the mean under a timer slack of 1 ns"));
    let both = [slack(), requests("windows-7", 2_000_000)];
    let refused = picture::picture(FigureArg::Vary, &material(&both).documents).unwrap_err();
    assert!(refused.contains("2 conditions"), "{refused}");
}

/// As from `report --quick`: a run of less than two seconds has at most one window.
#[test]
fn what_was_stopped_early_says_so_once_in_the_list() {
    let stopped = documents::slack().replace("\"interrupted\":false", "\"interrupted\":true");
    let page = checked(&[stopped]);
    let list = page.split("<li>").find(|item| item.contains("--vary"));
    let list = list.and_then(|item| item.split("</li>").next()).unwrap();
    assert_eq!(list.matches("stopped early").count(), 1, "{list}");
}

#[test]
fn a_pace_too_short_for_a_picture_is_said_in_words() {
    let mut short: Value = serde_json::from_str(&pace()).unwrap();
    short["series"][0]["stretches"] = json!([]);
    let short = short.to_string();
    let page = checked(std::slice::from_ref(&short));
    assert!(!page.contains("Average interval over time"));
    assert!(page.contains("too short to show") && page.contains("16.666667 ms"));
    let documents = material(&[short]).documents;
    let refused = picture::picture(FigureArg::Pace, &documents).unwrap_err();
    assert!(refused.contains("nothing to draw"), "{refused}");
    assert!(checked(&[pace()]).contains("Average interval over time"));
}

#[test]
fn sections_without_material_are_left_out() {
    let page = checked(&[requests("windows-7", 2_000_000)]);
    assert!(!page.contains("<h2>Lateness</h2>") && !page.contains("<h2>Machine</h2>"));
    checked(&[]);
}

#[test]
fn few_and_extreme_values_are_drawn() {
    let cases: [&[(u64, u64)]; 8] = [
        &[],
        &[(0, 1)],
        &[(0, 1_000)],
        &[(73, 1)],
        &[(1, u64::MAX), (u64::MAX, u64::MAX)],
        &[(u64::MAX, 1)],
        &[(1_000, 0)],
        &[(5, 3), (2, 7)],
    ];
    for counts in cases {
        checked(&[recording(counts)]);
    }
    let mut empty: Value = serde_json::from_str(RECORDED).unwrap();
    empty["series"] = json!([]);
    empty["question"]["period_ns"] = json!([1, 1]);
    checked(&[empty.to_string()]);
}

#[test]
fn a_program_under_a_windows_rules_is_neither_measured_nor_simulated() {
    let mut run: Value = serde_json::from_str(RECORDED).unwrap();
    run["question"]["on"] = json!({"machine": "windows-7", "seed": 1});
    let page = checked(&[run.to_string()]);
    assert!(page.contains("Program as if on windows-7") && page.contains("longer than asked"));
    assert!(page.contains("punctual run --as windows-7"));
    for wrong in ["simulated", "is fit for", "punctual measure"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
}

/// Puts markup before every string but the schema, and into every list of strings.
fn poisoned(value: &mut Value, key: &str) {
    match value {
        Value::String(text) if !is_read(key) => {
            *text = format!("<script>alert('\"&{text}')</script>\u{0}");
        }
        Value::Array(values) => values.iter_mut().for_each(|value| poisoned(value, key)),
        Value::Object(values) => values
            .iter_mut()
            .for_each(|(key, value)| poisoned(value, key)),
        _ => {}
    }
}

/// Strings that are not read as text.
fn is_read(key: &str) -> bool {
    let read = [
        "schema",
        "tried_for",
        "load",
        "with",
        "priority",
        "condition",
        "at",
        "level",
        "cause",
        "system",
        "processor_quota",
    ];
    read.contains(&key) || key.starts_with("processors_")
}

#[test]
fn no_string_of_a_recording_becomes_markup() {
    let poison = |text: String| {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        poisoned(&mut value, "");
        value.to_string()
    };
    let poisoned: Vec<_> = everything().into_iter().map(poison).collect();
    for figure in FigureArg::value_variants() {
        let picture = checked_picture(*figure, &poisoned);
        assert!(!picture.contains("<script"), "{figure:?}");
    }
    let page = checked(&poisoned);
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
}

#[test]
fn what_is_no_recording_is_named() {
    let refused = |text: &str| Document::from_json(text).unwrap_err();
    assert!(refused("{").contains("line 1"));
    assert!(refused("{\"schema\": \"punctual.machines/1\"}").contains("punctual.machines/1"));
    assert!(refused("{\"schema\": \"punctual.recording/9\"}").contains("punctual.recording/9"));
    assert!(refused("{\"schema\": \"punctual.sweep/3\"}").contains("punctual.sweep/3"));
}
