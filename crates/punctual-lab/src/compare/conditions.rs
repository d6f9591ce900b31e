//! The differences in machine and settings between two recordings.

use crate::conditions::{Companion, Slice};
use crate::measure::{Question, Recording};
use punctual_data::quantity::{write_duration, write_period};
use std::fmt::Display;

/// Describes the differences between the machines and the questions, one sentence each.
pub(super) fn differences(baseline: &Recording, other: &Recording) -> Vec<String> {
    let mut sentences = Vec::from_iter(systems(baseline, other));
    sentences.extend(baseline.environment.differences(&other.environment));
    sentences.extend(asked(&baseline.question, &other.question));
    if baseline.punctual_version != other.punctual_version {
        let (before, after) = (&baseline.punctual_version, &other.punctual_version);
        sentences.push(changed("the version of Punctual", before, after));
    }
    for (which, recording) in [("the baseline", baseline), ("the other", other)] {
        if recording.interrupted {
            sentences.push(format!("{which} was interrupted before it was complete"));
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

/// What a question asks for, by name.
type Fact = (&'static str, fn(&Question) -> String);

fn asked(baseline: &Question, other: &Question) -> Vec<String> {
    let pairs = |of: fn(&Question) -> String| (of(baseline), of(other));
    let facts: [Fact; 10] = [
        ("the period", |asked| write_period(asked.period)),
        ("the load", |asked| asked.conditions.load.to_string()),
        ("the priority", |asked| {
            asked.conditions.priority.to_string()
        }),
        ("the slice", |asked| slices(&asked.conditions.slices)),
        ("the processor of the waiting thread", |asked| {
            or_none(asked.conditions.pin)
        }),
        ("the requested late rate", |asked| {
            asked.late_rate.unwrap_or_default().share().to_string()
        }),
        ("the processor budget", |asked| {
            asked.budget.unwrap_or_default().share().to_string()
        }),
        ("the companions", |asked| company(&asked.conditions.with)),
        ("the process's own request", |asked| {
            or_none(asked.request.map(write_duration))
        }),
        ("measuring with the machine tuned", |asked| {
            asked.tuned.to_string()
        }),
    ];
    facts
        .into_iter()
        .map(|(name, of)| (name, pairs(of)))
        .filter(|(_, (before, after))| before != after)
        .map(|(name, (before, after))| changed(name, &before, &after))
        .collect()
}

fn or_none(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn slices(slices: &[Slice]) -> String {
    let names: Vec<_> = slices.iter().map(ToString::to_string).collect();
    match names.as_slice() {
        [] => "that of each method".to_owned(),
        names => names.join(" and "),
    }
}

fn company(with: &[Companion]) -> String {
    if with.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<_> = with.iter().map(ToString::to_string).collect();
    names.join(", ")
}

fn changed(name: &str, before: &impl Display, after: &impl Display) -> String {
    format!("{name} changed from {before} to {after}")
}
