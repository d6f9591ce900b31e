//! Published measurements, replayed by the rules alone: no engine, no processors, nothing but ticks
//! and waits. Which number comes from which source is in the data, not here.

mod driver;
mod predictions;
mod replay;

use punctual_sim::evidence::{Case, Finding, Needs, Override, Source, sources};
use punctual_sim::windows::VERSIONS;
use replay::{assert_readable, replay, replay_on};
use std::collections::BTreeSet;

fn all_cases() -> Vec<Case> {
    sources()
        .into_iter()
        .flat_map(|source| source.case)
        .collect()
}

fn comes_out(findings: &[Finding]) -> bool {
    findings.iter().all(Finding::is_fine)
}

/// Every published statement that rules can replay comes out, or is known not to.
#[test]
fn published_numbers_come_out() {
    let mut surprises = Vec::new();
    for case in all_cases().iter().filter(|case| case.needs == Needs::Rules) {
        println!("{}", case.id);
        for finding in replay(case) {
            println!(
                "    {} {}",
                if finding.holds { "  " } else { "NOT" },
                finding
            );
            if finding.is_surprise() {
                surprises.push(format!("{}: {}", case.id, finding));
            }
        }
    }
    assert!(
        surprises.is_empty(),
        "not as expected:\n{}",
        surprises.join("\n")
    );
}

/// What a case is said to rule out does not come out.
#[test]
fn what_is_ruled_out_does_not_come_out() {
    for case in all_cases().iter().filter(|case| case.needs == Needs::Rules) {
        for run in case.runs() {
            for ruled_out in &run.rules_out {
                let other = run.overridden(ruled_out);
                for version in &run.versions {
                    let holds = comes_out(&replay_on(&other, version));
                    assert!(!holds, "{} on {version} with {ruled_out:?}", case.id);
                }
            }
        }
    }
}

/// A case that is said to fix a rule does not come out with some other value of it, and together
/// such cases leave no two values that nothing forbids. (One may be left: what drivers' requests
/// do to classes, say, is of no matter on versions without classes.)
#[test]
fn the_evidence_that_rules_name_fixes_them() {
    let cases = all_cases();
    for rule in VERSIONS[0]
        .rules
        .iter()
        .filter(|rule| !rule.evidence.is_empty())
    {
        let mut forbidden = BTreeSet::<&str>::new();
        for id in rule.evidence {
            let case = cases.iter().find(|case| case.id == *id);
            let case = case.unwrap_or_else(|| panic!("{}: there is no {id}", rule.name));
            let values = rule.values.iter();
            let broken_by: Vec<_> = values
                .filter(|value| breaks(case, rule.name, value))
                .collect();
            println!("{}: {id} forbids {broken_by:?}", rule.name);
            assert!(
                !broken_by.is_empty(),
                "{id} says nothing about {}",
                rule.name
            );
            forbidden.extend(broken_by);
        }
        assert!(
            forbidden.len() + 1 >= rule.values.len(),
            "{}: only {forbidden:?}",
            rule.name
        );
    }
}

/// Whether a case fails on a version of its own to which the rule's value is foreign.
fn breaks(case: &Case, rule: &str, value: &str) -> bool {
    let change = Override {
        rules: [(rule.to_owned(), value.to_owned())].into(),
        ..Override::default()
    };
    case.runs().iter().any(|run| {
        let other = run.overridden(&change);
        run.versions
            .iter()
            .any(|version| !comes_out(&replay_on(&other, version)))
    })
}

#[test]
fn every_case_has_one_id_that_names_its_source() {
    let mut ids = BTreeSet::new();
    for Source { source, case } in sources() {
        assert!(!case.is_empty());
        let prefixes: Vec<_> = source
            .prefixes
            .iter()
            .map(|prefix| format!("{prefix}-"))
            .collect();
        for case in case {
            assert!(
                prefixes.iter().any(|prefix| case.id.starts_with(prefix)),
                "{}",
                case.id
            );
            assert!(ids.insert(case.id.clone()), "{} is there twice", case.id);
        }
    }
}

#[test]
fn every_case_that_is_replayed_expects_something_of_some_version() {
    for case in all_cases() {
        for run in case.runs() {
            assert_eq!(
                run.expect.is_empty(),
                case.needs == Needs::Nothing,
                "{}",
                case.id
            );
            assert!(!run.versions.is_empty(), "{}", case.id);
            assert_readable(&case, &run);
        }
    }
}

/// Neither the size of Windows 10's hardware quantum nor Windows 7's overshoot is known for the
/// machines that were measured. No published number depends on them, but for cases that say so by
/// giving them.
#[test]
fn the_hair_between_request_and_interval_does_not_matter() {
    for (name, value) in [
        ("quantum", "5.33us"),
        ("quantum", "1.28us"),
        ("overshoot", "100ns"),
    ] {
        let machine = Override {
            machine: [(name.to_owned(), value.to_owned())].into(),
            ..Override::default()
        };
        for case in all_cases().iter().filter(|case| case.needs == Needs::Rules) {
            let runs = case
                .runs()
                .into_iter()
                .filter(|run| !run.machine.contains_key(name));
            for run in runs.map(|run| run.overridden(&machine)) {
                for finding in run
                    .versions
                    .iter()
                    .flat_map(|version| replay_on(&run, version))
                {
                    assert!(finding.is_fine(), "{} with {value}: {}", case.id, finding);
                }
            }
        }
    }
}
