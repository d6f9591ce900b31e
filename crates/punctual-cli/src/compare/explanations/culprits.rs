//! Who took more time than before.

use punctual_trace::report::CauseRow;
use punctual_trace::{Cause, Report};
use serde::Serialize;
use std::collections::BTreeMap;

/// Who brought a cause about, and for how long in a wake-up on average.
#[derive(Debug, Serialize)]
pub(super) struct Culprit {
    pub(super) cause: Cause,
    pub(super) who: String,
    pub(super) priority: Option<String>,
    pub(super) baseline_ns: f64,
    pub(super) other_ns: f64,
}

impl Culprit {
    pub(super) fn change_ns(&self) -> f64 {
        self.other_ns - self.baseline_ns
    }
}

type Key<'a> = (Cause, &'a str, Option<&'a str>);

/// Everybody in either, the greatest growth first.
pub(super) fn culprits(before: &Report, after: &Report) -> Vec<Culprit> {
    let (before, after) = (means(before), means(after));
    let keys = before
        .keys()
        .chain(after.keys().filter(|key| !before.contains_key(*key)));
    let culprit = |key: &Key<'_>| Culprit {
        cause: key.0,
        who: key.1.to_owned(),
        priority: key.2.map(str::to_owned),
        baseline_ns: before.get(key).copied().unwrap_or(0.0),
        other_ns: after.get(key).copied().unwrap_or(0.0),
    };
    let mut culprits: Vec<_> = keys.map(culprit).collect();
    culprits.sort_by(|one, two| two.change_ns().total_cmp(&one.change_ns()));
    culprits
}

fn means(report: &Report) -> BTreeMap<Key<'_>, f64> {
    let wakeups = report.explained().max(1) as f64;
    let key = |row: &'_ CauseRow| row.total_ns as f64 / wakeups;
    let rows = report.causes.iter();
    rows.map(|row| {
        let who = (row.cause, row.who.as_str(), row.priority.as_deref());
        (who, key(row))
    })
    .collect()
}
