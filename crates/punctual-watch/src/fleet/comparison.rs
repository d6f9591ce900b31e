//! Compares two groups of machines.

use crate::fleet::client::Ask;
use crate::fleet::error::Error;
use crate::fleet::lateness::{Lateness, Percentile};
use crate::fleet::machines::{self, Machine, Which};
use crate::fleet::reply::Value;
use crate::fleet::resampling::{FEWEST_MACHINES, Ratio, geometric_mean, ratio};
use crate::fleet::selector::Selector;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The machines that are looked at, such as those with the new kernel.
    pub matching: Selector,
    /// The machines that they are compared with.
    pub against: Selector,
    /// Of how long a time, until now.
    pub window: Duration,
    /// What is compared.
    pub percentiles: Vec<Percentile>,
    /// Each deadline counts, missed ones too; otherwise each wake-up.
    pub deadlines: bool,
    /// Only this way of waiting.
    pub method: Option<String>,
    /// Decides the draws.
    pub seed: u64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The end of the window, in seconds since 1970 UTC, by the clock of Prometheus.
    pub end: f64,
    /// Machines that matched both groups in the window, and are in neither.
    pub in_both: usize,
    /// How many machines were looked at.
    pub matching: Group,
    /// How many they were compared with.
    pub against: Group,
    /// Each percentile, in the order in which they were asked for.
    pub percentiles: Vec<Compared>,
}

/// How many machines a group has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// With enough wake-ups in the window.
    pub machines: usize,
    /// Without.
    pub silent: usize,
    /// The wake-ups of all.
    pub wake_ups: f64,
}

/// A percentile in both groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compared {
    /// Which one.
    pub percentile: Percentile,
    /// The geometric mean over the machines that are looked at, in seconds.
    pub matching: f64,
    /// The same over those that they are compared with.
    pub against: f64,
    /// By which factor the first group is later.
    pub ratio: Ratio,
}

/// Asks and compares. `follow` hears how many machines of how many have been asked for, and can stop it.
pub fn compare(
    ask: &impl Ask,
    question: &Question,
    follow: &mut impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Comparison, Error> {
    let which = Which {
        deadlines: question.deadlines,
        method: question.method.clone(),
        window: question.window,
        end: now(ask)?,
    };
    let selectors = [&question.matching, &question.against];
    let mut groups = Vec::new();
    for selector in selectors {
        let members = machines::members(ask, selector, &which)?;
        if members.is_empty() {
            let selector = selector.to_string();
            return Err(Error::Nothing { selector });
        }
        groups.push(members);
    }
    let both: BTreeSet<Machine> = groups[0].intersection(&groups[1]).cloned().collect();
    groups
        .iter_mut()
        .for_each(|group| group.retain(|machine| !both.contains(machine)));
    let all = groups[0].len() + groups[1].len();
    let fewest = question
        .percentiles
        .iter()
        .map(|percentile| percentile.fewest());
    let fewest = fewest.fold(1.0, f64::max);
    let (mut before, mut found) = (0, Vec::new());
    for (members, selector) in groups.iter().zip(selectors) {
        let mut step = |done| follow(before + done, all);
        let mut lateness = machines::lateness(ask, members, &which, &mut step)?;
        // Rounding: a count that Prometheus estimated may be a hair below.
        lateness.retain(|_, lateness| lateness.total() >= fewest - 0.5);
        if lateness.len() < FEWEST_MACHINES {
            return Err(Error::TooFew {
                selector: selector.to_string(),
                found: lateness.len(),
                in_both: both.len(),
                least: FEWEST_MACHINES,
            });
        }
        before += members.len();
        found.push(lateness);
    }
    let percentiles = question.percentiles.iter();
    Ok(Comparison {
        end: which.end,
        in_both: both.len(),
        matching: group(&groups[0], &found[0]),
        against: group(&groups[1], &found[1]),
        percentiles: percentiles
            .map(|percentile| compared(*percentile, [&found[0], &found[1]], question.seed))
            .collect(),
    })
}

/// The clock of Prometheus, so that all questions are about the same instant and this machine's clock does not matter.
fn now(ask: &impl Ask) -> Result<f64, Error> {
    let answer = ask.ask("time()", None)?;
    match answer.first().map(|sample| &sample.value) {
        Some(Value::Number(seconds)) => Ok(*seconds),
        _ => Err(Error::Refused {
            kind: "bad_data".to_owned(),
            message: "it does not say what time it is".to_owned(),
        }),
    }
}

fn group(members: &BTreeSet<Machine>, found: &BTreeMap<Machine, Lateness>) -> Group {
    Group {
        machines: found.len(),
        silent: members.len() - found.len(),
        wake_ups: found.values().map(Lateness::total).sum(),
    }
}

fn compared(
    percentile: Percentile,
    groups: [&BTreeMap<Machine, Lateness>; 2],
    seed: u64,
) -> Compared {
    let values = groups.map(|group| {
        let values = group
            .values()
            .filter_map(|lateness| lateness.quantile(percentile.share()));
        values.collect::<Vec<_>>()
    });
    Compared {
        percentile,
        matching: geometric_mean(&values[0]),
        against: geometric_mean(&values[1]),
        ratio: ratio(&values[0], &values[1], seed),
    }
}
