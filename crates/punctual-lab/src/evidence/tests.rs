//! Everything published, replayed by programs on whole simulated machines.

mod paced;

use super::replay::replay as replay_run;
use super::*;
use punctual_sim::evidence::Case;
use std::collections::BTreeSet;

fn cases() -> Vec<Case> {
    sources()
        .into_iter()
        .flat_map(|source| source.case)
        .collect()
}

fn with_verdict(verdict: Verdict, changes: &[&str]) -> BTreeSet<String> {
    let changes: Vec<RuleChange> = changes
        .iter()
        .map(|change| change.parse().unwrap())
        .collect();
    let cases = cases().into_iter();
    let cases = cases.filter(|case| replay(case, &changes).verdict() == verdict);
    cases.map(|case| case.id).collect()
}

fn ids(ids: &[&str]) -> BTreeSet<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

/// Those that stay in the table, failing. A case that leaves this list by itself is good news, and
/// its reason is to go.
const KNOWN_TO_FAIL: [&str; 7] = [
    "grc-random",
    "sil-due-early",
    "sil-due-half-nt",
    "sil-due-quiet",
    "sil-period-raised",
    "sil-phase-others",
    "sil-pinned",
];

/// Every case comes out, or is known not to; and what is known not to does not.
#[test]
fn published_numbers_come_out_of_whole_machines() {
    let (mut surprises, mut failing) = (Vec::new(), BTreeSet::new());
    for case in cases() {
        let replayed = replay(&case, &[]);
        let is_quoted = case.needs == Needs::Nothing;
        assert_eq!(
            replayed.not_replayed.is_some(),
            is_quoted,
            "{}: {replayed:?}",
            case.id
        );
        assert_eq!(replayed.statements.is_empty(), is_quoted, "{}", case.id);
        for Statement {
            version, finding, ..
        } in &replayed.statements
        {
            if finding.is_surprise() {
                surprises.push(format!("{} on {version}: {finding}", case.id));
            }
        }
        if replayed.verdict() == Verdict::ExpectedToFail {
            failing.insert(case.id);
        }
    }
    assert!(
        surprises.is_empty(),
        "not as expected:\n{}",
        surprises.join("\n")
    );
    assert_eq!(failing, ids(&KNOWN_TO_FAIL));
}

/// What a case is said to rule out does not come out of a whole machine either.
#[test]
fn what_is_ruled_out_does_not_come_out() {
    for case in cases() {
        for run in case.runs() {
            for ruled_out in &run.rules_out {
                let other = run.overridden(ruled_out);
                for version in &run.versions {
                    let findings = replay_run(&other, version).unwrap();
                    let comes_out = findings.iter().all(Finding::is_fine);
                    assert!(!comes_out, "{} on {version} with {ruled_out:?}", case.id);
                }
            }
        }
    }
}

/// With coarse due times, other programs' threads cannot force the class of other waits out a tick
/// early: what depends on them breaks, the anomaly at 8 ms first, and nothing else does.
#[test]
fn a_changed_rule_breaks_the_cases_that_fix_it() {
    let coarse = with_verdict(Verdict::Fails, &["due-time=coarse"]);
    assert_eq!(
        coarse,
        ids(&["grc-2004-2", "grc-2004-8", "grc-2004-others"])
    );
    let precise = with_verdict(Verdict::Fails, &["due-time=precise"]);
    assert!(precise.contains("svi-7-busy"), "{precise:?}");
}

/// A program that is refused a call cannot have measured what was published.
#[test]
fn a_refused_call_is_said() {
    let cases = cases();
    let case = cases
        .iter()
        .find(|case| case.id == "sil-period-quiet")
        .unwrap();
    let replayed = replay(case, &["high-resolution=absent".parse().unwrap()]);
    assert_eq!(replayed.verdict(), Verdict::Fails);
    assert_eq!(
        replayed.telling().unwrap().finding.found,
        "Windows error 87"
    );
}

#[test]
fn the_same_comes_out_every_time() {
    let cases = cases();
    let case = cases
        .iter()
        .find(|case| case.id == "grc-2004-others")
        .unwrap();
    let found = || {
        let statements = replay(case, &[]).statements;
        statements
            .iter()
            .map(|statement| statement.finding.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(found(), found());
}

#[test]
fn a_wrong_rule_is_answered_with_those_there_are() {
    for (text, hint) in [
        (
            "due-time",
            "as in due-time=coarse; rules are lattice, due-time",
        ),
        ("due=coarse", "rules are lattice, due-time"),
        ("due-time=early", "coarse or precise"),
    ] {
        let error = text.parse::<RuleChange>().unwrap_err();
        assert!(error.contains(hint), "{error}");
    }
}
