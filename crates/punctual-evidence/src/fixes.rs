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

use crate::{Case, RuleChange, pool, replay};
use punctual_windows::{VERSIONS, Version};
use std::collections::BTreeSet;
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

/// The statements that come out: the place of the case, the variation, the version, and what was
/// published.
type Held = BTreeSet<(usize, usize, String, String)>;

/// What the cases say of every rule on every version, the rules in the order of
/// [`Rules`](punctual_windows::Rules); `None` if `progress` stopped it.
///
/// `progress` is given the share of replays that are done, and ends the search by breaking. Threads
/// call it at any time.
pub fn fixes(
    cases: &[&Case],
    progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Option<Vec<Fixed>> {
    // What is replayed: the cases as they are, and under each change those that it may touch.
    let mut replays: Vec<_> = (0..cases.len()).map(|case| (None, case)).collect();
    for (name, value) in values() {
        let touched = (0..cases.len()).filter(|case| changes_anything(cases[*case], name, value));
        replays.extend(touched.map(|case| (Some((name, value)), case)));
    }
    let share = |done: usize| progress(done as f64 / replays.len().max(1) as f64);
    let held = pool::map(replays.len(), &share, |index| {
        let (change, case) = replays[index];
        held(cases[case], case, change)
    });
    let held: Option<Vec<_>> = held.into_iter().collect();
    let held = held?;
    let under = |change| -> Held {
        let replayed = replays.iter().zip(&held);
        let these = replayed.filter(|((under, _), _)| *under == change);
        these.flat_map(|(_, held)| held.clone()).collect()
    };
    let usual = under(None);
    let changed: Vec<_> = values()
        .map(|(name, value)| (name, value, under(Some((name, value)))))
        .collect();
    let mut fixed = Vec::new();
    for (index, rule) in VERSIONS[0].rules.iter().enumerate() {
        for version in VERSIONS {
            let here = version.rules.iter().nth(index)?;
            let of_rule = changed.iter();
            let of_rule =
                of_rule.filter(|(name, value, _)| *name == rule.name && *value != here.value);
            let others = of_rule.map(|(_, value, held)| Other {
                value,
                excluded_by: told_apart(cases, version, &usual, held),
                wanted_by: told_apart(cases, version, held, &usual),
            });
            fixed.push(Fixed {
                version: version.name,
                rule: rule.name,
                value: here.value,
                others: others.collect(),
            });
        }
    }
    Some(fixed)
}

/// Every rule with every value that it could have.
fn values() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rules = VERSIONS[0].rules.iter();
    rules.flat_map(|rule| rule.values.iter().map(move |value| (rule.name, *value)))
}

/// Whether the case runs on a version on which the rule has another value.
fn changes_anything(case: &Case, name: &str, value: &str) -> bool {
    let has_other = |version: &String| {
        let rules = Version::named(version).map(|version| version.rules);
        rules.is_ok_and(|rules| {
            let mut rules = rules.iter();
            rules.any(|rule| rule.name == name && rule.value != value)
        })
    };
    let runs = case.runs();
    runs.iter().any(|run| run.versions.iter().any(has_other))
}

/// The statements of a case, which has this place, that come out.
fn held(case: &Case, place: usize, change: Option<(&str, &str)>) -> Held {
    let change = change.map(|(name, value)| format!("{name}={value}").parse());
    let change = change.transpose();
    let change: Option<RuleChange> =
        change.unwrap_or_else(|error| panic!("a rule's own value: {error}"));
    let statements = replay(case, change.as_slice()).statements.into_iter();
    let held = statements.filter(|statement| statement.finding.holds);
    held.map(|held| {
        let published = held.finding.expected.statement.to_string();
        (place, held.variation, held.version, published)
    })
    .collect()
}

/// The cases of which a statement holds in the first and not in the second, each once. A case that runs
/// on a version on which the rule has another value was replayed in both.
fn told_apart(cases: &[&Case], version: Version, first: &Held, second: &Held) -> Vec<String> {
    let held = first.difference(second);
    let here = held.filter(|(_, _, on, _)| on == version.name);
    let places: BTreeSet<_> = here.map(|(place, ..)| *place).collect();
    places
        .iter()
        .map(|place| cases[*place].id.clone())
        .collect()
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
