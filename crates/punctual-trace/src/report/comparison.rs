//! Compares reports: which cause grew?
//!
//! What is compared is how long a cause took in a wake-up on average. So traces of different lengths can
//! be compared, and the causes of a side still add up to its mean lateness.

mod show;

use super::{Batch, CauseRow, Report};
use crate::Cause;
use punctual_data::distribution::{self, Distribution};
use punctual_data::means::{Means, Window};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// All comparisons with one baseline.
#[derive(Debug, Serialize)]
pub struct Comparisons {
    /// That of the document.
    pub schema: &'static str,
    /// Of the intervals: [`CONFIDENCE`](punctual_data::means::CONFIDENCE).
    pub confidence: f64,
    /// In the order of the files.
    pub comparisons: Vec<Comparison>,
    /// Whether the text has everything.
    #[serde(skip)]
    pub is_long: bool,
}

/// A report against the baseline.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The name of the baseline.
    pub baseline: String,
    /// The name of the other.
    pub other: String,
    /// The differences between the machines and between what was explained, in sentences.
    pub differences: Vec<String>,
    /// What is to be known about the sides, in sentences.
    notes: Vec<String>,
    /// Figures of the lateness of all wake-ups.
    lateness: Vec<Figure>,
    /// The mean lateness of the explained wake-ups.
    mean: Change,
    /// How much of it each cause is, the greatest change first.
    causes: Vec<CauseChange>,
    /// The same by what brought it about. It is not judged.
    culprits: Vec<Culprit>,
}

#[derive(Debug, Serialize)]
struct Figure {
    statistic: &'static str,
    baseline_ns: u64,
    other_ns: u64,
}

#[derive(Debug, Serialize)]
struct CauseChange {
    cause: Cause,
    #[serde(flatten)]
    change: Change,
}

/// A mean time in a wake-up, on both sides.
#[derive(Debug, Serialize)]
struct Change {
    baseline_ns: f64,
    other_ns: f64,
    change_ns: f64,
    /// The interval that contains the true change; none if a side is too short.
    interval_ns: Option<(f64, f64)>,
    verdict: &'static str,
}

impl Change {
    /// `whole` is the baseline's mean lateness: a small part of it is no change.
    fn of(means: &Means, whole: f64) -> Self {
        Self {
            baseline_ns: means.baseline,
            other_ns: means.other,
            change_ns: means.change(),
            interval_ns: means.interval,
            verdict: means.verdict(whole).name(),
        }
    }
}

/// A report and its name.
pub type Named<'a> = (&'a str, &'a Report);

/// Compares a report with a baseline, which differ in this besides.
pub fn compare(baseline: Named<'_>, other: Named<'_>, differences: Vec<String>) -> Comparison {
    let ((_, before), (_, after)) = (baseline, other);
    let batches = (&before.batches, &after.batches);
    let all = |batch: &Batch| batch.ns_by_cause.values().map(|&ns| ns as f64).sum();
    let mean = means(batches, all);
    let present = [batches.0, batches.1].into_iter().flatten();
    let causes: BTreeSet<Cause> = present
        .flat_map(|batch| batch.ns_by_cause.keys().copied())
        .collect();
    let change = |cause: Cause| {
        let of_cause = |batch: &Batch| batch.ns_by_cause.get(&cause).map_or(0.0, |&ns| ns as f64);
        CauseChange {
            cause,
            change: Change::of(&means(batches, of_cause), mean.baseline),
        }
    };
    let mut causes: Vec<_> = causes.into_iter().map(change).collect();
    causes.sort_by(|one, two| {
        two.change
            .change_ns
            .abs()
            .total_cmp(&one.change.change_ns.abs())
    });
    Comparison {
        baseline: baseline.0.to_owned(),
        other: other.0.to_owned(),
        differences,
        notes: [baseline, other].into_iter().filter_map(note).collect(),
        lateness: figures(&before.lateness.distribution, &after.lateness.distribution),
        mean: Change::of(&mean, mean.baseline),
        causes,
        culprits: culprits(before, after),
    }
}

fn means((before, after): (&Vec<Batch>, &Vec<Batch>), sum: impl Fn(&Batch) -> f64) -> Means {
    let windows = |batches: &[Batch]| -> Vec<Window> {
        let window = |batch: &Batch| Window {
            sum: sum(batch),
            count: batch.wakeups as f64,
        };
        batches.iter().map(window).collect()
    };
    Means::of(&windows(before), &windows(after))
}

/// How many wake-ups are in no mean.
fn note((name, report): Named<'_>) -> Option<String> {
    let unexplained = report.of.checked_sub(report.explained())?;
    (unexplained > 0).then(|| {
        format!(
            "{unexplained} of {} wake-ups of {name} are not explained, and in none of the means",
            report.of
        )
    })
}

fn figures(before: &Distribution, after: &Distribution) -> Vec<Figure> {
    let figures = distribution::Figure::OF_TABLES.into_iter();
    figures
        .map(|figure| Figure {
            statistic: figure.name(),
            baseline_ns: figure.of(before),
            other_ns: figure.of(after),
        })
        .collect()
}

// What took more time than before.

/// What brought a cause about, and for how long in a wake-up on average.
#[derive(Debug, Serialize)]
struct Culprit {
    cause: Cause,
    occupant: String,
    priority: Option<String>,
    baseline_ns: f64,
    other_ns: f64,
}

impl Culprit {
    fn change_ns(&self) -> f64 {
        self.other_ns - self.baseline_ns
    }
}

type Key<'a> = (Cause, &'a str, Option<&'a str>);

/// Everybody in either, the greatest growth first.
fn culprits(before: &Report, after: &Report) -> Vec<Culprit> {
    let (before, after) = (mean_times(before), mean_times(after));
    let keys = before
        .keys()
        .chain(after.keys().filter(|key| !before.contains_key(*key)));
    let culprit = |key: &Key<'_>| Culprit {
        cause: key.0,
        occupant: key.1.to_owned(),
        priority: key.2.map(str::to_owned),
        baseline_ns: before.get(key).copied().unwrap_or(0.0),
        other_ns: after.get(key).copied().unwrap_or(0.0),
    };
    let mut culprits: Vec<_> = keys.map(culprit).collect();
    culprits.sort_by(|one, two| two.change_ns().total_cmp(&one.change_ns()));
    culprits
}

fn mean_times(report: &Report) -> BTreeMap<Key<'_>, f64> {
    let wakeups = report.explained().max(1) as f64;
    let key = |row: &'_ CauseRow| row.total_ns as f64 / wakeups;
    let rows = report.causes.iter();
    rows.map(|row| {
        let occupant = (row.cause, row.occupant.as_str(), row.priority.as_deref());
        (occupant, key(row))
    })
    .collect()
}
