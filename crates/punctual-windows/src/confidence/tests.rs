use super::*;
use crate::Companion;
use crate::{VERSIONS, Version};
use std::collections::BTreeSet;

fn of(version: &str, asked: &Asked, companions: Vec<Companion>) -> Verdict {
    let version = Version::named(version).unwrap();
    let subject = Subject {
        companions,
        ..Subject::usual(version)
    };
    confidence(&subject, asked)
}

fn sleep(milliseconds: u64) -> Asked {
    Asked::tight(Call::Ordinary, Duration::from_millis(milliseconds))
}

fn requester(milliseconds: u64) -> Companion {
    Companion::requester(Duration::from_millis(milliseconds))
}

fn rules(verdict: &Verdict) -> BTreeSet<&'static str> {
    verdict
        .rests_on
        .iter()
        .map(|footing| footing.rule)
        .collect()
}

#[test]
fn a_published_mean_decides_over_the_rules() {
    let verdict = of("windows-10-2004", &sleep(1), vec![requester(6)]);
    let of_mean = |micros| verdict.of_mean(Duration::from_micros(micros));
    assert_eq!(of_mean(12_000), Level::Published);
    assert_eq!(of_mean(13_000), Level::Contradicted);
    let at_5 = of("windows-10-2004", &sleep(1), vec![requester(5)]);
    assert_eq!(at_5.published, None);
    // Who decides about the interval is disputed.
    assert_eq!(at_5.of_mean(Duration::from_millis(15)), Level::Inferred);
}

#[test]
fn the_weakest_rule_decides() {
    let long = of("windows-10-2004", &sleep(20), vec![requester(1)]);
    assert_eq!(long.rules_give, Level::Inferred);
    assert!(rules(&long).contains("idle-expiry"), "{long:?}");
    let alone = of("windows-10-2004", &sleep(20), vec![]);
    assert_eq!(alone.rules_give, Level::MeasuredElsewhere);
    assert!(rules(&alone).is_empty(), "{alone:?}");
}

#[test]
fn what_two_cases_say_differently_is_disputed() {
    let of = |rule, version| footing(rule, &Version::named(version).unwrap()).basis;
    assert_eq!(of("arbitration", "windows-10-1909"), Basis::MeasuredHere);
    assert_eq!(of("arbitration", "windows-10-2004"), Basis::Disputed);
    // As on the nearest version with the same rule.
    assert_eq!(of("arbitration", "windows-11"), Basis::Disputed);
    assert_eq!(of("arbitration", "windows-7"), Basis::MeasuredElsewhere);
    assert_eq!(
        of("high-resolution", "windows-10-1909"),
        Basis::Contradicted
    );
    assert_eq!(of("idle-expiry", "windows-10-2004"), Basis::Inferred);
}

#[test]
fn the_due_time_matters_where_a_tick_comes_right_after_it() {
    let own = |milliseconds| Asked {
        request: Some(Duration::from_millis(1)),
        ..sleep(milliseconds)
    };
    assert!(rules(&of("windows-7", &own(1), vec![])).contains("due-time"));
    assert!(!rules(&of("windows-10-2004", &own(1), vec![])).contains("due-time"));
    let any_time = Asked {
        begun: Begun::AnyTime,
        ..sleep(1)
    };
    let any_time = of("windows-10-2004", &any_time, vec![]);
    assert_eq!(any_time.rests_on[0].basis, Basis::Disputed);
    assert_eq!(rules(&any_time), ["due-time"].into());
}

#[test]
fn an_unusual_machine_is_at_best_inferred() {
    let version = Version::named("windows-10-2004").unwrap();
    let mut subject = Subject::usual(version);
    subject.rules.set("due-time", "precise").unwrap();
    let verdict = confidence(&subject, &sleep(1));
    assert_eq!(verdict.because, ["due-time=precise"]);
    assert_eq!(verdict.rules_give, Level::Inferred);
    let mut subject = Subject::usual(version);
    subject.parameters.set("processors", "2").unwrap();
    assert_eq!(confidence(&subject, &sleep(1)).because, ["processors=2"]);
}

#[test]
fn the_registry_key_is_a_rule_of_its_own() {
    let mut subject = Subject::usual(Version::named("windows-11").unwrap());
    subject.parameters.set(GLOBAL_REQUESTS, "1").unwrap();
    let verdict = confidence(&subject, &sleep(1));
    assert_eq!(verdict.rests_on[0].rule, "global-key");
    assert_eq!(verdict.rules_give, Level::MeasuredElsewhere);
}

#[test]
fn every_rule_that_an_answer_can_rest_on_is_known() {
    let known: BTreeSet<_> = footings(&VERSIONS[0])
        .iter()
        .map(|found| found.rule)
        .collect();
    let calls = [
        Call::Ordinary,
        Call::Waitable,
        Call::HighResolution,
        Call::TimerQueue,
        Call::Pool,
        Call::Multimedia,
        Call::Message,
        Call::Select,
        Call::Interval,
        Call::Clock,
    ];
    for call in calls {
        let asked = Asked {
            is_periodic: true,
            begun: Begun::AnyTime,
            request: Some(Duration::from_millis(1)),
            standing: crate::Standing {
                hidden: true,
                throttling: Some(crate::Throttling::Honour),
            },
            is_tolerant: true,
            looks: Looks::TickCount,
            ..Asked::tight(call, Duration::from_millis(20))
        };
        let driver = Companion::Driver {
            interval: Duration::from_millis(1),
        };
        let found = of(
            "windows-11",
            &asked,
            vec![driver, requester(1), Companion::Load],
        );
        assert!(rules(&found).is_subset(&known), "{found:?}");
    }
}
