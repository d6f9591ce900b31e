//! What confidence says of cases is what the cases say.

use crate::cases;
use punctual_evidence::Case;
use punctual_windows::VERSIONS;
use punctual_windows::confidence::{contradictions, footings, statements};
use std::collections::BTreeSet;

/// Statements that fail for a reason that is no rule of these: one processor handles all interrupts.
const FAIL_FOR_OTHER_REASONS: [&str; 1] = ["sil-pinned"];

#[test]
fn every_case_that_is_named_exists() {
    let ids: BTreeSet<_> = cases().into_iter().map(|case| case.id).collect();
    let named = VERSIONS
        .iter()
        .flat_map(footings)
        .flat_map(|footing| footing.cases);
    for case in named.chain(statements()) {
        assert!(ids.contains(case), "{case}");
    }
}

#[test]
fn a_case_that_is_expected_to_fail_contradicts_a_rule() {
    let contradicting: BTreeSet<_> = contradictions().map(|(case, _)| case).collect();
    let fails = |case: &Case| {
        let mut expected = case.runs().into_iter().flat_map(|run| run.expect);
        expected.any(|expectation| expectation.expected_to_fail.is_some())
    };
    for case in cases() {
        let other = FAIL_FOR_OTHER_REASONS.contains(&case.id.as_str());
        let said = contradicting.contains(case.id.as_str()) || other;
        assert_eq!(said, fails(&case), "{}", case.id);
    }
}
