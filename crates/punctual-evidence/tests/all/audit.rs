//! What the data says about itself: whose its tolerances are, what was tried, what asks the same.

use crate::cases;
use punctual_evidence::{Case, Expectation, Needs, Override, Run, Whose};
use punctual_windows::VERSIONS;

fn expectations(case: &Case) -> Vec<Expectation> {
    let runs = case.runs().into_iter();
    runs.flat_map(|run| run.expect).collect()
}

#[test]
fn every_tolerance_that_is_ours_has_a_reason() {
    let mut without = Vec::new();
    for case in cases() {
        let is_silent = |expectation: &Expectation| {
            expectation.whose() == Whose::Ours && expectation.reason.is_none()
        };
        if expectations(&case).iter().any(is_silent) {
            without.push(case.id);
        }
    }
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn whoever_fails_says_why_before_what_was_tried() {
    for case in cases() {
        for expectation in expectations(&case) {
            let is_known = expectation.expected_to_fail.is_some();
            assert!(is_known || expectation.tried.is_empty(), "{}", case.id);
        }
    }
}

/// Nobody asks a quotation.
#[test]
fn every_case_that_is_replayed_names_what_asks_the_same() {
    for case in cases() {
        let is_quoted = case.needs == Needs::Nothing;
        assert_eq!(case.ask.is_empty(), is_quoted, "{}", case.id);
        for line in &case.ask {
            assert!(line.starts_with("punctual "), "{}: {line}", case.id);
        }
    }
}

/// What was tried comes out as it is said to have come out.
#[test]
fn hypotheses_that_were_tried_come_out_as_written() {
    let mut wrong = Vec::new();
    for case in cases() {
        for run in case.runs() {
            wrong.extend(differing(&case, &run));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The hypotheses of one run with another outcome than the one written, each with its outcome.
fn differing(case: &Case, run: &Run) -> Vec<String> {
    let mut wrong = Vec::new();
    for expectation in run.expect.iter().filter(|expect| !expect.tried.is_empty()) {
        let mut alone = run.clone();
        alone.expect = vec![expectation.clone()];
        for tried in &expectation.tried {
            let (changes, outcome) = tried.split_once(": ").expect("what came out");
            let changed = alone.overridden(&change(changes));
            let findings = changed.replay(&run.versions[0]).unwrap();
            let found = &findings[0].found;
            if !outcome.starts_with(found.as_str()) {
                wrong.push(format!("{}: {tried}, but {found}", case.id));
            }
        }
    }
    wrong
}

/// Rules by name, and what is none, as machine parameters.
fn change(text: &str) -> Override {
    let mut change = Override::default();
    for pair in text.split(',') {
        let (name, value) = pair.split_once('=').expect("name=value");
        let is_rule = VERSIONS[0].rules.iter().any(|rule| rule.name == name);
        let settings = match is_rule {
            true => &mut change.rules,
            false => &mut change.machine,
        };
        settings.insert(name.to_owned(), value.to_owned());
    }
    change
}
