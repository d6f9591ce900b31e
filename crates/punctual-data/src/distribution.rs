//! A distribution for JSON: figures to read, and a histogram to merge.

use crate::histogram::{Histogram, SIGNIFICANT_DIGITS};
use crate::quantity::{nanos, whole_nanos};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// A [`Histogram`] in figures to read, with a sparse histogram to merge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
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

/// Values that occurred, ascending. To merge histograms, add the counts of equal values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseHistogram {
    /// The number of significant digits. A value stands for all values with the same digits, as the
    /// highest of them.
    pub significant_digits: u8,
    /// Pairs of a value in nanoseconds and its count.
    pub counts_by_ns: Vec<(u64, u64)>,
}

/// A figure of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Half are at most this long.
    P50,
    /// 90 % are at most this long.
    P90,
    /// 99 % are at most this long.
    P99,
    /// 99.9 % are at most this long.
    P999,
    /// The longest.
    Max,
    /// The mean.
    Mean,
}

impl Figure {
    /// Those of every table, in their order.
    pub const OF_TABLES: [Self; 5] = [Self::P50, Self::P90, Self::P99, Self::P999, Self::Max];

    /// All of them, as sheets have them.
    pub const ALL: [Self; 6] = [
        Self::P50,
        Self::P90,
        Self::P99,
        Self::P999,
        Self::Max,
        Self::Mean,
    ];

    /// Its name, as the head of a column.
    pub fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
            Self::Max => "max",
            Self::Mean => "mean",
        }
    }

    /// All names, for messages.
    pub const NAMES: &str = "p50, p90, p99, p99.9, max, mean";

    /// The figure of this name. One has two.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "p999" { "p99.9" } else { name };
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The figure in nanoseconds.
    pub fn of(self, distribution: &Distribution) -> u64 {
        match self {
            Self::P50 => distribution.p50_ns,
            Self::P90 => distribution.p90_ns,
            Self::P99 => distribution.p99_ns,
            Self::P999 => distribution.p999_ns,
            Self::Max => distribution.max_ns,
            Self::Mean => distribution.mean_ns,
        }
    }
}

impl Distribution {
    /// The number of values that occurred.
    pub fn count(&self) -> u64 {
        let counts = self.histogram.counts_by_ns.iter();
        counts.fold(0, |sum: u64, &(_, count)| sum.saturating_add(count))
    }

    /// The share that is longer than this; zero if there are none.
    pub fn share_above(&self, bound_ns: u64) -> f64 {
        let counts = self.histogram.counts_by_ns.iter();
        let above = counts.filter(|&&(ns, _)| ns > bound_ns);
        let above = above.fold(0, |sum: u64, &(_, count)| sum.saturating_add(count));
        above as f64 / self.count().max(1) as f64
    }

    /// The figures of every table, as people read them.
    pub fn shown(&self) -> [String; Figure::OF_TABLES.len()] {
        Figure::OF_TABLES.map(|figure| nanos(figure.of(self)))
    }

    /// Every figure, exactly.
    pub fn exact(&self) -> [String; Figure::ALL.len()] {
        Figure::ALL.map(|figure| figure.of(self).to_string())
    }
}

/// The names of the columns of a sheet that have [every figure](Distribution::exact): `waits_p50_ns`.
pub fn columns(what: &str) -> [String; Figure::ALL.len()] {
    Figure::ALL.map(|figure| format!("{what}_{}_ns", figure.name()))
}

impl From<&Histogram> for Distribution {
    fn from(histogram: &Histogram) -> Self {
        let quantile_ns = |share| whole_nanos(histogram.quantile(share));
        Self {
            p50_ns: quantile_ns(0.5),
            p90_ns: quantile_ns(0.9),
            p99_ns: quantile_ns(0.99),
            p999_ns: quantile_ns(0.999),
            max_ns: whole_nanos(histogram.max()),
            mean_ns: whole_nanos(histogram.mean()),
            histogram: SparseHistogram {
                significant_digits: SIGNIFICANT_DIGITS,
                counts_by_ns: histogram
                    .occurrences()
                    .map(|(value, count)| (whole_nanos(value), count))
                    .collect(),
            },
        }
    }
}

/// The number of lines per halving of the distance to 100 %; HdrHistogram's own default.
const TICKS_PER_HALF_DISTANCE: u32 = 5;

const NANOS_PER_MICRO: f64 = 1e3;

impl Distribution {
    /// Writes values in microseconds by percentile, in the format that HdrHistogram calls the
    /// percentile distribution (`.hgrm`).
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_percentiles(&self, out: &mut dyn Write) -> io::Result<()> {
        let histogram = self.rebuilt();
        writeln!(
            out,
            "{:>12} {:>14} {:>10} {:>14}\n",
            "Value", "Percentile", "TotalCount", "1/(1-Percentile)"
        )?;
        let mut total = 0;
        for step in histogram.iter_quantiles(TICKS_PER_HALF_DISTANCE) {
            total += step.count_since_last_iteration();
            let value = step.value_iterated_to() as f64 / NANOS_PER_MICRO;
            let quantile = step.quantile_iterated_to();
            write!(out, "{value:12.3} {quantile:2.12} {total:10}")?;
            if quantile < 1.0 {
                writeln!(out, " {:14.2}", 1.0 / (1.0 - quantile))?;
            } else {
                writeln!(out)?;
            }
        }
        self.write_footer(out, &histogram)
    }

    fn write_footer(
        &self,
        out: &mut dyn Write,
        histogram: &hdrhistogram::Histogram<u64>,
    ) -> io::Result<()> {
        let mean = histogram.mean() / NANOS_PER_MICRO;
        let deviation = histogram.stdev() / NANOS_PER_MICRO;
        let max = self.max_ns as f64 / NANOS_PER_MICRO;
        let (count, buckets) = (histogram.len(), histogram.buckets());
        writeln!(
            out,
            "#[Mean    = {mean:12.3}, StdDeviation   = {deviation:12.3}]"
        )?;
        writeln!(out, "#[Max     = {max:12.3}, Total count    = {count:12}]")?;
        let halves = 2 * 10_u64.pow(u32::from(SIGNIFICANT_DIGITS));
        let sub_buckets = halves.next_power_of_two();
        writeln!(
            out,
            "#[Buckets = {buckets:12}, SubBuckets     = {sub_buckets:12}]"
        )
    }

    fn rebuilt(&self) -> hdrhistogram::Histogram<u64> {
        let mut histogram = hdrhistogram::Histogram::new(SIGNIFICANT_DIGITS)
            .expect("between zero and five significant digits are permitted");
        for &(nanos, count) in &self.histogram.counts_by_ns {
            histogram
                .record_n(nanos, count)
                .expect("a histogram that may grow takes any value");
        }
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::Histogram;
    use std::time::Duration;

    #[test]
    fn a_sparse_histogram_rebuilds_the_distribution_it_came_from() {
        let mut distribution = Histogram::new();
        for nanos in [0, 1, 45, 45, 73_512, 1_000_000_007] {
            distribution.record(Duration::from_nanos(nanos));
        }
        let summary = Distribution::from(&distribution);
        let mut rebuilt = Histogram::new();
        for &(nanos, count) in &summary.histogram.counts_by_ns {
            rebuilt.record_many(Duration::from_nanos(nanos), count);
        }
        let again = Distribution::from(&rebuilt);
        assert_eq!(again.histogram, summary.histogram);
        assert_eq!((again.p50_ns, again.p99_ns), (summary.p50_ns, again.max_ns));
        assert_eq!(summary.max_ns, 1_000_000_007, "the longest is exact");
    }

    fn written(micros: &[u64]) -> String {
        let mut distribution = Histogram::new();
        for &micros in micros {
            distribution.record(Duration::from_micros(micros));
        }
        let mut text = Vec::new();
        Distribution::from(&distribution)
            .write_percentiles(&mut text)
            .unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn values_are_microseconds_and_percentiles_end_at_all_of_them() {
        let text = written(&[10, 20, 30, 40]);
        let rows: Vec<Vec<&str>> = text
            .lines()
            .skip(2)
            .take_while(|line| !line.starts_with('#'))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(rows[0][..3], ["10.007", "0.000000000000", "1"]);
        let last = rows.last().unwrap();
        assert_eq!(last[1..], ["1.000000000000", "4"], "{text}");
        let totals = rows.iter().map(|row| row[2].parse::<u64>().unwrap());
        assert!(totals.is_sorted());
        assert!(text.contains("Total count    =            4]"));
        assert!(text.contains("#[Max     =       40.000"));
    }

    #[test]
    fn nothing_is_written_as_nothing() {
        assert!(written(&[]).contains("Total count    =            0]"));
    }
}
