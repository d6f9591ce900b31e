//! Which published measurement fixes which rule.
//!
//! One rule at a time is given another value, on one version of Windows, and all cases are replayed.
//! A case that held and no longer does *excludes* the value. If only one case excludes it, the rule
//! *hangs on* that case: without it, the value would survive.
//!
//! ```
//! use punctual_evidence::{fixes, sources};
//! use std::ops::ControlFlow;
//!
//! let sources = sources();
//! let cases: Vec<_> = sources.iter().flat_map(|source| &source.case).collect();
//! let busy: Vec<_> = cases.into_iter().filter(|case| case.id == "svi-7-busy").collect();
//! let fixed = fixes(&busy, &|_| ControlFlow::Continue(())).unwrap();
//! let due_time = fixed.iter().find(|rule| (rule.rule, rule.version) == ("due-time", "windows-7"));
//! let precise = &due_time.unwrap().others[0];
//! assert_eq!((precise.value, precise.hangs_on()), ("precise", Some("svi-7-busy")));
//! ```

use super::search::{Alternative, Answer, Asked, Scores, score};
use super::{Case, RuleChange};
use punctual_windows::{VERSIONS, Version};
use std::ops::ControlFlow;

/// What the evidence says of one rule on one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The version of Windows.
    pub version: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// The value that it has there.
    pub value: &'static str,
    /// The values that it could have instead.
    pub others: Vec<Other>,
}

/// Another value of a rule on a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// The value.
    pub value: &'static str,
    /// The ids of the cases of which a statement holds, and would not with this value.
    pub excluded_by: Vec<String>,
    /// The ids of the cases of which a statement fails, and would hold with this value.
    pub wanted_by: Vec<String>,
}

impl Fixed {
    /// Whether no case excludes any other value.
    pub fn is_free(&self) -> bool {
        self.others.iter().all(Other::survives)
    }
}

impl Other {
    /// Whether no case excludes it.
    pub fn survives(&self) -> bool {
        self.excluded_by.is_empty()
    }

    /// The case without which it would survive, if there is one.
    pub fn hangs_on(&self) -> Option<&str> {
        match self.excluded_by.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// A rule with a value, and the cases that run on a version on which the rule has another.
struct Change<'a> {
    change: RuleChange,
    value: &'static str,
    cases: Vec<&'a Case>,
}

/// What the cases say of every rule on every version, the rules in the order of
/// [`Rules`](punctual_windows::Rules); `None` if `progress` stopped it.
///
/// `progress` is given the share of replays that are done, and ends the search by breaking. Threads
/// call it at any time.
pub fn fixes(
    cases: &[&Case],
    progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Option<Vec<Fixed>> {
    let changes = changes(cases);
    let replays: usize = changes.iter().map(|change| change.cases.len()).sum();
    let replays = replays + cases.len();
    let mut before = 0;
    let mut scored = |alternative: Alternative, cases: &[&Case]| {
        let done = |done: usize| progress((before + done) as f64 / replays.max(1) as f64);
        let scores = score(vec![alternative], cases, &done);
        before += cases.len();
        (scores.rows.len() == scores.wanted).then_some(scores)
    };
    let usual = scored(Alternative::default(), cases)?;
    let mut changed = Vec::new();
    for Change {
        change,
        value,
        cases,
    } in changes
    {
        let name = change.name().to_owned();
        changed.push((name, value, scored(Alternative::of([change]), &cases)?));
    }
    let mut fixed = Vec::new();
    for (index, rule) in VERSIONS[0].rules.iter().enumerate() {
        for version in VERSIONS {
            let here = version.rules.iter().nth(index)?;
            let of_rule = changed
                .iter()
                .filter(|(name, value, _)| name == rule.name && *value != here.value);
            fixed.push(Fixed {
                version: version.name,
                rule: rule.name,
                value: here.value,
                others: of_rule
                    .map(|(_, value, scores)| other(value, version, &usual, scores))
                    .collect(),
            });
        }
    }
    Some(fixed)
}

/// Every value that a rule could have on some version and does not have there.
fn changes<'a>(cases: &[&'a Case]) -> Vec<Change<'a>> {
    let rules = VERSIONS[0].rules.iter();
    let values = rules.flat_map(|rule| rule.values.iter().map(move |value| (rule.name, *value)));
    let change = |(name, value): (&'static str, &'static str)| Change {
        change: readable(format!("{name}={value}").parse()),
        value,
        cases: cases
            .iter()
            .copied()
            .filter(|case| changes_anything(case, name, value))
            .collect(),
    };
    values.map(change).collect()
}

fn readable(change: Result<RuleChange, String>) -> RuleChange {
    change.unwrap_or_else(|error| panic!("a rule's own value: {error}"))
}

/// Whether the case runs on a version on which the rule has another value.
fn changes_anything(case: &Case, name: &str, value: &str) -> bool {
    let has_other = |version: &String| {
        let rules = Version::named(version).map(|version| version.rules);
        rules.is_ok_and(|rules| {
            rules
                .iter()
                .any(|rule| rule.name == name && rule.value != value)
        })
    };
    case.runs()
        .iter()
        .any(|run| run.versions.iter().any(has_other))
}

fn other(value: &'static str, version: Version, usual: &Scores, changed: &Scores) -> Other {
    Other {
        value,
        excluded_by: told_apart(version, usual, changed),
        wanted_by: told_apart(version, changed, usual),
    }
}

/// The cases of which a statement holds in the first and not in the second, each once.
fn told_apart(version: Version, first: &Scores, second: &Scores) -> Vec<String> {
    let is_in = |scores: &Scores, case: &str| scores.asked.iter().any(|asked| asked.case == case);
    let of = |scores: &'_ Scores, other: &Scores| -> Vec<(Asked, bool)> {
        let answers = answers(scores).filter(|(asked, _)| is_in(other, &asked.case));
        answers
            .map(|(asked, answer)| (asked.clone(), answer.holds))
            .collect()
    };
    let mut cases: Vec<String> = Vec::new();
    let both = of(first, second).into_iter().zip(of(second, first));
    for ((asked, first), (_, second)) in both {
        let is_told = asked.version == version.name && first && !second;
        if is_told && !cases.contains(&asked.case) {
            cases.push(asked.case);
        }
    }
    cases
}

/// The statements and what the one alternative of a score gives for them.
fn answers(scores: &Scores) -> impl Iterator<Item = (&Asked, &Answer)> {
    let answers = scores.rows.iter().flat_map(|row| &row.answers);
    scores.asked.iter().zip(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources;

    fn of(ids: &[&str]) -> Vec<Fixed> {
        let sources = sources();
        let cases = sources.iter().flat_map(|source| &source.case);
        let cases: Vec<_> = cases
            .filter(|case| ids.contains(&case.id.as_str()))
            .collect();
        fixes(&cases, &|_| ControlFlow::Continue(())).unwrap()
    }

    fn find<'a>(fixed: &'a [Fixed], rule: &str, version: &str) -> &'a Fixed {
        let mut found = fixed.iter();
        found
            .find(|fixed| (fixed.rule, fixed.version) == (rule, version))
            .unwrap()
    }

    #[test]
    fn every_rule_is_there_on_every_version_with_all_other_values() {
        let fixed = of(&[]);
        let rules: Vec<_> = VERSIONS[0].rules.iter().collect();
        assert_eq!(fixed.len(), rules.len() * VERSIONS.len());
        for fixed in &fixed {
            let rule = rules.iter().find(|rule| rule.name == fixed.rule).unwrap();
            assert_eq!(fixed.others.len() + 1, rule.values.len(), "{fixed:?}");
            assert!(fixed.others.iter().all(|other| other.value != fixed.value));
            assert!(fixed.is_free(), "without a case: {fixed:?}");
        }
    }

    #[test]
    fn a_case_fixes_a_rule_only_on_the_versions_it_runs_on() {
        let fixed = of(&["svi-7-busy"]);
        let on_7 = find(&fixed, "due-time", "windows-7");
        assert_eq!(on_7.others[0].hangs_on(), Some("svi-7-busy"));
        assert!(find(&fixed, "due-time", "windows-xp").is_free());
    }

    #[test]
    fn a_value_that_two_cases_exclude_hangs_on_neither() {
        let fixed = of(&["vd-win7-queue-50", "vd-win7-queue-short"]);
        let from_tick = &find(&fixed, "rearm", "windows-7").others[0];
        assert_eq!(from_tick.excluded_by.len(), 2);
        assert_eq!(from_tick.hangs_on(), None);
        assert!(!from_tick.survives());
    }

    #[test]
    fn a_search_that_is_stopped_says_nothing() {
        let sources = sources();
        let cases: Vec<_> = sources.iter().flat_map(|source| &source.case).collect();
        assert_eq!(fixes(&cases, &|_| ControlFlow::Break(())), None);
    }
}
