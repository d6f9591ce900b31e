//! The family of rules for high-resolution timers (C9), and the cases that speak of them.

use super::Alternative;
use crate::{Case, Method, RuleChange};
use punctual_windows::{Rules, WINDOWS_11};

/// What the names of the family's rules begin with.
const PREFIX: &str = "hr-";

/// Every combination of the values of the rules for high-resolution timers, each as what it changes.
/// The first is the rules as they are.
///
/// Where such timers end with ticks, the other rules say nothing: that is one alternative.
pub fn high_resolution() -> Vec<Alternative> {
    let mut family = vec![WINDOWS_11];
    for rule in WINDOWS_11.iter().filter(|rule| is_varied(rule.name)) {
        let others = rule.values.iter().filter(|value| **value != rule.value);
        let values: Vec<_> = [rule.value].into_iter().chain(others.copied()).collect();
        let with_values = |rules: Rules| {
            values
                .iter()
                .map(move |value| with(rules, rule.name, value))
                .collect::<Vec<_>>()
        };
        family = family.into_iter().flat_map(with_values).collect();
    }
    family.push(with(WINDOWS_11, "hr-end", "ticks"));
    family.iter().map(changes).collect()
}

fn is_varied(rule: &str) -> bool {
    rule.starts_with(PREFIX) && rule != "hr-end"
}

fn with(mut rules: Rules, name: &str, value: &str) -> Rules {
    let set = rules.set(name, value);
    set.expect("a value of the rule's own");
    rules
}

fn changes(rules: &Rules) -> Alternative {
    Alternative::of(rules.differences(&WINDOWS_11).map(|(name, value, _)| {
        let change: Result<RuleChange, _> = format!("{name}={value}").parse();
        change.expect("a value of the rule's own")
    }))
}

/// Whether a case has a loop that waits for a high-resolution timer.
pub fn is_high_resolution(case: &Case) -> bool {
    case.runs().iter().any(|run| {
        let method = run.looping.as_ref().map(|looping| looping.method);
        matches!(
            method,
            Some(Method::HighResolution | Method::HighResolutionOnce)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::score;
    use super::*;
    use crate::{Source, sources};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    fn about_them(sources: &[Source]) -> Vec<&Case> {
        let cases = sources.iter().flat_map(|source| &source.case);
        cases.filter(|case| is_high_resolution(case)).collect()
    }

    #[test]
    fn every_combination_is_there_once_and_begins_with_none() {
        let family = high_resolution();
        let names: BTreeSet<_> = family.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), family.len());
        let combinations: usize = WINDOWS_11
            .iter()
            .filter(|rule| is_varied(rule.name))
            .map(|rule| rule.values.len())
            .product();
        assert_eq!(family.len(), combinations + 1);
        assert_eq!(family[0], Alternative::default());
    }

    #[test]
    fn all_three_independent_sources_and_the_remark_are_asked() {
        let sources = sources();
        let cases = about_them(&sources);
        for id in ["sil-period-raised", "hr-avg-1ms", "hr-half", "grc2-hr"] {
            assert!(cases.iter().any(|case| case.id == id), "{id}");
        }
        assert!(cases.iter().all(|case| case.id != "svi-7-1"));
    }

    /// One change of the rules as they are never makes fewer statements fail.
    #[test]
    fn the_rules_as_they_are_are_the_best_of_their_neighbours() {
        let mut neighbours = high_resolution();
        neighbours.retain(|alternative| alternative.changes.len() <= 1);
        let sources = sources();
        let cases = about_them(&sources);
        let scores = score(neighbours, &cases, &|_| ControlFlow::Continue(()));
        let best = scores.ranked()[0];
        assert_eq!(best.alternative, Alternative::default());
    }
}
