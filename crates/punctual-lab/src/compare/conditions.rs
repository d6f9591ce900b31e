//! What must be the same for two recordings to be compared, and is not.

use crate::recording::{Asked, Recording};
use std::fmt::Display;

/// Says, a sentence each, in what the machines and what was asked differ.
pub(super) fn differences(baseline: &Recording, other: &Recording) -> Vec<String> {
    let mut sentences = Vec::from_iter(systems(baseline, other));
    sentences.extend(baseline.environment.differences(&other.environment));
    sentences.extend(asked(&baseline.asked, &other.asked));
    if baseline.punctual_version != other.punctual_version {
        let (before, after) = (&baseline.punctual_version, &other.punctual_version);
        sentences.push(changed("the version of Punctual", before, after));
    }
    for (which, recording) in [("the baseline", baseline), ("the other", other)] {
        if recording.interrupted {
            sentences.push(format!(
                "{which} was interrupted before it had all it was asked for"
            ));
        }
    }
    sentences
}

fn systems(baseline: &Recording, other: &Recording) -> Option<String> {
    let name = |recording: &Recording| {
        let system = recording.environment.system.as_ref();
        system.map_or_else(|| "unknown".to_owned(), ToString::to_string)
    };
    let (before, after) = (name(baseline), name(other));
    (before != after).then(|| changed("the system", &before, &after))
}

fn asked(baseline: &Asked, other: &Asked) -> Vec<String> {
    let option = |value: Option<usize>| value.map_or("none".to_owned(), |value| value.to_string());
    let request = |asked: &Asked| {
        let nanos = asked.request_ns;
        nanos.map_or("none".to_owned(), |nanos| format!("{nanos} ns"))
    };
    let pairs = [
        (
            "the period in ns",
            baseline.period_ns.to_string(),
            other.period_ns.to_string(),
        ),
        (
            "the load",
            baseline.load.to_string(),
            other.load.to_string(),
        ),
        (
            "the priority",
            baseline.priority.clone(),
            other.priority.clone(),
        ),
        (
            "the processor kept to",
            option(baseline.pin),
            option(other.pin),
        ),
        (
            "the late rate asked for",
            baseline.late_rate.to_string(),
            other.late_rate.to_string(),
        ),
        (
            "the processor budget",
            baseline.budget.to_string(),
            other.budget.to_string(),
        ),
        ("who else was there", company(baseline), company(other)),
        ("the request of its own", request(baseline), request(other)),
        (
            "measuring tuned as well",
            baseline.tuned.to_string(),
            other.tuned.to_string(),
        ),
    ];
    pairs
        .iter()
        .filter(|(_, before, after)| before != after)
        .map(|(name, before, after)| changed(name, before, after))
        .collect()
}

fn company(asked: &Asked) -> String {
    if asked.with.is_empty() {
        "nobody".to_owned()
    } else {
        asked.with.join(", ")
    }
}

fn changed(name: &str, before: &impl Display, after: &impl Display) -> String {
    format!("{name} changed from {before} to {after}")
}
