//! Two recordings compared, method by method: the ratio of each statistic, and whether it means
//! anything.
//!
//! A ratio alone says little: the same machine measured twice gives two numbers. So each ratio comes
//! with an interval, found by resampling the recordings themselves (a *bootstrap*). What is drawn
//! anew is not waits but batches of consecutive turns, because wake-ups that follow each other share
//! the machine's moods; drawing waits would take ten thousand bad wake-ups of one bad second for ten
//! thousand witnesses. Only what the interval keeps apart from 1, by a hundredth at least, is called
//! a change.
//!
//! What it cannot know: a mood that lasts longer than a recording. Record alternately, more than
//! once, before believing a small change.

mod bootstrap;
mod conditions;

use crate::measure::{Recording, SeriesRecord};
use bootstrap::Resampler;

/// The share of intervals that contain the true ratio, as far as batches are independent. Higher
/// than the usual 95 %, because a comparison makes dozens of them.
pub const CONFIDENCE: f64 = 0.99;

/// Less than this is not called a change, however sure it is: a tenth of it is lost where values are
/// rounded to three digits, and simulated machines repeat themselves to the nanosecond.
pub const LEAST_CHANGE: f64 = 0.01;

/// The fewest batches from which a variation can be told.
pub const FEWEST_BATCHES: usize = 10;

/// A recording against a baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// In sentences, what about the machines and about what was asked is not the same.
    pub differences: Vec<String>,
    /// Methods that both have, in the baseline's order.
    pub methods: Vec<MethodComparison>,
    /// Methods that only one of them measured.
    pub unmatched: Vec<String>,
}

/// How a method did in both recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodComparison {
    /// Its name.
    pub method: String,
    /// Each statistic there is.
    pub statistics: Vec<StatisticComparison>,
    /// Why no interval could be given, if none could.
    pub unjudged: Option<Unjudged>,
}

/// A statistic in both recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct StatisticComparison {
    /// Which.
    pub statistic: Statistic,
    /// Its value in the baseline.
    pub baseline: f64,
    /// Its value in the other recording.
    pub other: f64,
    /// The other's to the baseline's; `None` where the baseline's is zero.
    pub ratio: Option<f64>,
    /// Where the true ratio is, at [`CONFIDENCE`]; `None` where that cannot be told.
    pub interval: Option<(f64, f64)>,
}

/// What is compared. Lateness is per deadline.
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
    /// All of them, in the order in which to show them.
    pub const ALL: [Self; 7] = [
        Self::P50,
        Self::P90,
        Self::P99,
        Self::P999,
        Self::Mean,
        Self::Missed,
        Self::Processor,
    ];

    /// The name it has in tables and in JSON.
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

    /// Whether it is a time in nanoseconds; otherwise it is a share from 0 to 1.
    pub fn is_time(self) -> bool {
        !matches!(self, Self::Missed | Self::Processor)
    }
}

/// Whether a statistic changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It became less, which is better: every statistic is a cost.
    Lower,
    /// It became more.
    Higher,
    /// By less than [`LEAST_CHANGE`], or by nothing that the recordings' own variation does not
    /// explain.
    NoChange,
    /// The recordings do not tell.
    Unjudged,
}

/// Why a method has no intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// A recording was made by a version that kept no batches.
    NoBatches,
    /// A recording is too short to know its own variation.
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

/// Compares a recording with a baseline. The same two give the same comparison.
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
        differences: conditions::differences(baseline, other),
        methods: measured(baseline)
            .filter_map(|series| Some(method(series, &counterpart(series, other)?)))
            .collect(),
        unmatched: [alone(baseline, other), alone(other, baseline)].concat(),
    }
}

/// The methods that had a turn: a recording that was interrupted has others, too.
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
