//! A measurement as versioned JSON: the environment it was made in, what was asked, and every
//! series. Units are in the names of the keys.

mod percentiles;
mod read;

use crate::Environment;
use crate::load::Load;
use crate::statistics::{Batch, Distribution, SIGNIFICANT_DIGITS, Series};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.recording/2";

/// A measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The machine as it was before the first wait.
    pub environment: Environment,
    /// In sentences, what had changed when the last wait was over.
    pub environment_changes: Vec<String>,
    /// What was asked for.
    pub asked: Asked,
    /// Whether it was stopped before all of that was done.
    pub interrupted: bool,
    /// Methods that were asked for and that this machine does not have.
    pub unavailable: Vec<Unavailable>,
    /// What each method achieved; each method once.
    pub series: Vec<SeriesRecord>,
}

/// What a measurement was asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The time between deadlines, cut to whole nanoseconds.
    pub period_ns: u64,
    /// How many times each method was to wait.
    pub count: u64,
    /// Waits of each method that were not counted, before those.
    pub warm_up_count: u64,
    /// Waits of one method before the next had its turn.
    pub block_count: u64,
    /// The methods asked for.
    pub methods: Vec<String>,
    /// What else the machine was made to do.
    pub load: Load,
    /// The priority of the thread that waited: `normal`, `high` or `realtime`.
    pub priority: String,
    /// The processor it was kept on, if any.
    pub pin: Option<usize>,
    /// The late rate that method `punctual` was given, a share from 0 to 1.
    pub late_rate: f64,
    /// The processor budget that method `punctual` was given, a share from 0 to 1.
    pub budget: f64,
    /// The simulated machine it was asked of; `None` for the machine itself.
    #[serde(default)]
    pub on: Option<String>,
    /// Who else was there, as the flag `--with` has it.
    #[serde(default)]
    pub with: Vec<String>,
    /// The interval that this process asked for in the series whose names begin with `+`.
    #[serde(default)]
    pub request_ns: Option<u64>,
    /// Whether the machine was tuned in the series whose names begin with `!`: processors kept from
    /// deep sleep, and this program's memory locked.
    #[serde(default)]
    pub tuned: bool,
    /// The seed of a simulated machine's chance.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// A method that the machine lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// Its name.
    pub method: String,
    /// Why it could not be tried.
    pub reason: String,
}

/// What one method achieved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// Its name.
    pub method: String,
    /// How many times it waited.
    pub count: u64,
    /// Wake-ups before their deadline.
    pub early: u64,
    /// Deadlines that passed while the thread waited for an earlier one.
    pub missed: u64,
    /// The share of time the thread had a processor, from 0 to 1.
    pub processor_share: f64,
    /// How late each wake-up was.
    pub per_wake: Summary,
    /// How late each deadline was served, missed ones included.
    pub per_deadline: Summary,
    /// The part of each wake-up's lateness before the thread was ready to run, where known.
    pub timer: Option<Summary>,
    /// The part of each wake-up's lateness in which it was ready but not running, where known.
    pub queue: Option<Summary>,
    /// The same by stretches of time, in their order. Empty in recordings of
    /// `punctual.recording/1`.
    #[serde(default)]
    pub batches: Vec<BatchRecord>,
}

/// What happened in some consecutive turns of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchRecord {
    /// How late deadlines were served: pairs of a value in nanoseconds and how often it occurred,
    /// as in a [`SparseHistogram`].
    pub per_deadline_counts_by_ns: Vec<(u64, u64)>,
    /// Deadlines that passed while the thread waited for an earlier one.
    pub missed: u64,
    /// Time the thread had a processor.
    pub processor_ns: u64,
    /// Time it took.
    pub elapsed_ns: u64,
}

impl From<&Batch> for BatchRecord {
    fn from(batch: &Batch) -> Self {
        Self {
            per_deadline_counts_by_ns: batch.per_deadline.clone(),
            missed: batch.missed,
            processor_ns: nanos(batch.processor),
            elapsed_ns: nanos(batch.elapsed),
        }
    }
}

impl From<&Series> for SeriesRecord {
    fn from(series: &Series) -> Self {
        Self {
            method: series.method.clone(),
            count: series.per_wake.count(),
            early: series.early,
            missed: series.missed,
            processor_share: series.processor_share(),
            per_wake: Summary::from(&series.per_wake),
            per_deadline: Summary::from(&series.per_deadline),
            timer: series
                .split
                .as_ref()
                .map(|split| Summary::from(&split.timer)),
            queue: series
                .split
                .as_ref()
                .map(|split| Summary::from(&split.queue)),
            batches: series.batches.as_slice().iter().map(Into::into).collect(),
        }
    }
}

/// A [`Distribution`] in figures to read, with a sparse histogram to merge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Half are at most this long.
    pub p50_ns: u64,
    /// 90 % are at most this long.
    pub p90_ns: u64,
    /// 99 % are at most this long.
    pub p99_ns: u64,
    /// 99.9 % are at most this long.
    pub p999_ns: u64,
    /// The longest, exactly.
    pub max_ns: u64,
    /// The mean.
    pub mean_ns: u64,
    /// Every value that occurred.
    pub histogram: SparseHistogram,
}

/// Values that occurred, ascending. Histograms are merged by adding the counts of equal values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseHistogram {
    /// How finely values are told apart; a value stands for those it cannot be told from, as the
    /// highest of them.
    pub significant_digits: u8,
    /// Pairs of a value in nanoseconds and how often it occurred.
    pub counts_by_ns: Vec<(u64, u64)>,
}

impl From<&Distribution> for Summary {
    fn from(distribution: &Distribution) -> Self {
        let quantile_ns = |share| nanos(distribution.quantile(share));
        Self {
            p50_ns: quantile_ns(0.5),
            p90_ns: quantile_ns(0.9),
            p99_ns: quantile_ns(0.99),
            p999_ns: quantile_ns(0.999),
            max_ns: nanos(distribution.max()),
            mean_ns: nanos(distribution.mean()),
            histogram: SparseHistogram {
                significant_digits: SIGNIFICANT_DIGITS,
                counts_by_ns: distribution
                    .occurrences()
                    .map(|(value, count)| (nanos(value), count))
                    .collect(),
            },
        }
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparse_histogram_rebuilds_the_distribution_it_came_from() {
        let mut distribution = Distribution::new();
        for nanos in [0, 1, 45, 45, 73_512, 1_000_000_007] {
            distribution.record(Duration::from_nanos(nanos));
        }
        let summary = Summary::from(&distribution);
        let mut rebuilt = Distribution::new();
        for &(nanos, count) in &summary.histogram.counts_by_ns {
            rebuilt.record_many(Duration::from_nanos(nanos), count);
        }
        let again = Summary::from(&rebuilt);
        assert_eq!(again.histogram, summary.histogram);
        assert_eq!((again.p50_ns, again.p99_ns), (summary.p50_ns, again.max_ns));
        assert_eq!(summary.max_ns, 1_000_000_007, "the longest is exact");
    }
}
