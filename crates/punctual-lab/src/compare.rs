//! Compares two recordings, method by method: the ratio of each statistic, with a confidence
//! interval.
//!
//! Two measurements of the same machine give two numbers, so a ratio alone says little. Each ratio
//! has a confidence interval, found by resampling the recordings (a *bootstrap*). The resampling
//! draws batches of consecutive turns and not single waits, because consecutive wake-ups depend on
//! each other: ten thousand bad wake-ups in one bad second are one event. If the interval contains
//! 1 or comes within a hundredth of it: no change.
//!
//! The interval cannot cover changes of the machine that last longer than a recording. Record both
//! sides several times in turns before you believe a small change.

mod bootstrap;

use crate::measure::{Question, Recording, SeriesRecord};
use bootstrap::Resampler;
use punctual_data::means::{FEWEST_BATCHES, LEAST_CHANGE, Verdict};
use punctual_data::quantity::{write_duration, write_period};
use std::fmt::Display;

/// A recording against a baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The differences between the machines and between the questions, in sentences.
    pub differences: Vec<String>,
    /// Methods that both recordings have, in the baseline's order.
    pub methods: Vec<MethodComparison>,
    /// Methods that only one recording has.
    pub unmatched: Vec<String>,
}

/// One method in both recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodComparison {
    /// Its name.
    pub method: String,
    /// Every statistic.
    pub statistics: Vec<StatisticComparison>,
    /// Why there are no intervals, if there are none.
    pub unjudged: Option<Unjudged>,
}

/// One statistic in both recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct StatisticComparison {
    /// Which one.
    pub statistic: Statistic,
    /// Its value in the baseline.
    pub baseline: f64,
    /// Its value in the other recording.
    pub other: f64,
    /// The ratio of the other to the baseline; `None` if the baseline is zero.
    pub ratio: Option<f64>,
    /// The interval that contains the true ratio at [`CONFIDENCE`](punctual_data::means::CONFIDENCE); `None` if it is unknown.
    pub interval: Option<(f64, f64)>,
}

/// A statistic. Lateness is per deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// Median lateness, in nanoseconds.
    P50,
    /// 90 % are at most this late, in nanoseconds.
    P90,
    /// 99 % are at most this late, in nanoseconds.
    P99,
    /// 99.9 % are at most this late, in nanoseconds.
    P999,
    /// Mean lateness, in nanoseconds.
    Mean,
    /// The share of deadlines that were missed.
    Missed,
    /// The share of time the thread had a processor.
    Processor,
}

impl Statistic {
    /// All of them, in display order.
    pub const ALL: [Self; 7] = [
        Self::P50,
        Self::P90,
        Self::P99,
        Self::P999,
        Self::Mean,
        Self::Missed,
        Self::Processor,
    ];

    /// The name in tables and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
            Self::Mean => "mean",
            Self::Missed => "missed",
            Self::Processor => "processor",
        }
    }

    /// Whether it is a time in nanoseconds. Otherwise it is a share from 0 to 1.
    pub fn is_time(self) -> bool {
        !matches!(self, Self::Missed | Self::Processor)
    }
}

/// Why a method has no intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// A recording was made by a version without batches.
    NoBatches,
    /// A recording is too short to show its own variation.
    TooShort,
}

impl StatisticComparison {
    /// Whether it changed.
    pub fn verdict(&self) -> Verdict {
        match self.interval {
            None if self.baseline == 0.0 && self.other == 0.0 => Verdict::NoChange,
            None => Verdict::Unjudged,
            Some((_, high)) if high < 1.0 - LEAST_CHANGE => Verdict::Lower,
            Some((low, _)) if low > 1.0 + LEAST_CHANGE => Verdict::Higher,
            Some(_) => Verdict::NoChange,
        }
    }
}

/// Compares a recording with a baseline. The result depends on the two recordings alone.
pub fn compare(baseline: &Recording, other: &Recording) -> Comparison {
    let counterpart = |series: &SeriesRecord, recording: &Recording| {
        let same = |candidate: &&SeriesRecord| candidate.method == series.method;
        measured(recording).find(same).cloned()
    };
    let alone = |one: &Recording, another: &Recording| -> Vec<String> {
        let unmatched = measured(one).filter(|series| counterpart(series, another).is_none());
        unmatched.map(|series| series.method.clone()).collect()
    };
    Comparison {
        differences: differences(baseline, other),
        methods: measured(baseline)
            .filter_map(|series| Some(method(series, &counterpart(series, other)?)))
            .collect(),
        unmatched: [alone(baseline, other), alone(other, baseline)].concat(),
    }
}

/// The methods that had a turn. An interrupted recording also lists others.
fn measured(recording: &Recording) -> impl Iterator<Item = &SeriesRecord> {
    recording.series.iter().filter(|series| series.count > 0)
}

fn method(baseline: &SeriesRecord, other: &SeriesRecord) -> MethodComparison {
    let unjudged = unjudged(baseline).or(unjudged(other));
    let intervals = match unjudged {
        None => bootstrap::ratios(&Resampler::new(baseline), &Resampler::new(other)),
        Some(_) => [None; Statistic::ALL.len()],
    };
    let statistics = Statistic::ALL.iter().zip(intervals);
    MethodComparison {
        method: baseline.method.clone(),
        statistics: statistics
            .map(|(&statistic, interval)| {
                let (before, after) = (value(baseline, statistic), value(other, statistic));
                StatisticComparison {
                    statistic,
                    baseline: before,
                    other: after,
                    ratio: (before > 0.0).then(|| after / before),
                    interval,
                }
            })
            .collect(),
        unjudged,
    }
}

fn unjudged(series: &SeriesRecord) -> Option<Unjudged> {
    match series.batches.len() {
        0 if series.count > 0 => Some(Unjudged::NoBatches),
        few if few < FEWEST_BATCHES => Some(Unjudged::TooShort),
        _ => None,
    }
}

fn value(series: &SeriesRecord, statistic: Statistic) -> f64 {
    let lateness = &series.per_deadline;
    match statistic {
        Statistic::P50 => lateness.p50_ns as f64,
        Statistic::P90 => lateness.p90_ns as f64,
        Statistic::P99 => lateness.p99_ns as f64,
        Statistic::P999 => lateness.p999_ns as f64,
        Statistic::Mean => lateness.mean_ns as f64,
        Statistic::Missed => series.missed as f64 / ((series.count + series.missed).max(1)) as f64,
        Statistic::Processor => series.processor_share,
    }
}

#[cfg(test)]
mod tests;

// The differences in machine and settings between two recordings.

/// Describes the differences between the machines and the questions, one sentence each.
fn differences(baseline: &Recording, other: &Recording) -> Vec<String> {
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
        ("the period", |asked| write_period(asked.schedule.period)),
        ("the load", |asked| asked.conditions.load.to_string()),
        ("the priority", |asked| {
            asked.conditions.priority.to_string()
        }),
        ("the slice", |asked| {
            all_or("that of each method", &asked.conditions.slices, " and ")
        }),
        ("the processor of the waiting thread", |asked| {
            or_none(asked.conditions.pin)
        }),
        ("the requested late rate", |asked| {
            asked.late_rate.unwrap_or_default().share().to_string()
        }),
        ("the processor budget", |asked| {
            asked.budget.unwrap_or_default().share().to_string()
        }),
        ("the companions", |asked| {
            all_or("none", &asked.conditions.with, ", ")
        }),
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

/// All of them, or this where there are none.
fn all_or(none: &str, all: &[impl ToString], between: &str) -> String {
    let names: Vec<_> = all.iter().map(ToString::to_string).collect();
    match names.is_empty() {
        true => none.to_owned(),
        false => names.join(between),
    }
}

fn changed(name: &str, before: &impl Display, after: &impl Display) -> String {
    format!("{name} changed from {before} to {after}")
}
