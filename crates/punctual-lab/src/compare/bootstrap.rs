//! Resamples recordings from their own batches.

use super::Statistic;
use crate::measure::SeriesRecord;
use fastrand::Rng;
use punctual_data::means::{REPLICATES, SEED, ends};
use punctual_data::quantity::whole_nanos;
use punctual_data::statistics::Batch;

type Values = [f64; Statistic::ALL.len()];

/// A series whose batches can be drawn again.
pub(super) struct Resampler<'a> {
    batches: &'a [Batch],
    /// Every lateness that occurred, in nanoseconds, ascending.
    values_ns: Vec<u64>,
    /// For each batch, which of them occurred and how often.
    counts: Vec<Vec<(usize, u64)>>,
    /// For each batch, how many they are, and their sum in nanoseconds.
    sums: Vec<(u64, f64)>,
}

/// The shares of all values that the quantiles do not exceed.
const SHARES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

impl<'a> Resampler<'a> {
    pub(super) fn new(series: &'a SeriesRecord) -> Self {
        let batches = series.batches.as_slice();
        let counts_by_ns = |batch: &'a Batch| batch.per_deadline.iter();
        let occurred = batches.iter().flat_map(counts_by_ns);
        let mut values_ns: Vec<_> = occurred.map(|&(nanos, _)| nanos).collect();
        values_ns.sort_unstable();
        values_ns.dedup();
        let place = |nanos: u64| values_ns.partition_point(|&value| value < nanos);
        let counts = batches
            .iter()
            .map(|batch| {
                counts_by_ns(batch)
                    .map(|&(nanos, count)| (place(nanos), count))
                    .collect()
            })
            .collect();
        let sums = batches
            .iter()
            .map(|batch| {
                let counted = counts_by_ns(batch);
                counted.fold((0, 0.0), |(deadlines, total_ns), &(nanos, count)| {
                    (deadlines + count, total_ns + nanos as f64 * count as f64)
                })
            })
            .collect();
        Self {
            batches,
            values_ns,
            counts,
            sums,
        }
    }

    /// The statistics of as many batches, drawn with replacement.
    fn draw(&self, random: &mut Rng) -> Values {
        let mut occurred = vec![0; self.values_ns.len()];
        let (mut deadlines, mut total_ns) = (0, 0.0);
        let (mut missed, mut processor_ns, mut elapsed_ns) = (0, 0, 0);
        for _ in self.batches {
            let chosen = random.usize(..self.batches.len());
            for &(place, count) in &self.counts[chosen] {
                occurred[place] += count;
            }
            deadlines += self.sums[chosen].0;
            total_ns += self.sums[chosen].1;
            missed += self.batches[chosen].missed;
            processor_ns += whole_nanos(self.batches[chosen].processor);
            elapsed_ns += whole_nanos(self.batches[chosen].elapsed);
        }
        let [p50, p90, p99, p999] = self.quantiles(&occurred, deadlines);
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        Statistic::ALL.map(|statistic| match statistic {
            Statistic::P50 => p50,
            Statistic::P90 => p90,
            Statistic::P99 => p99,
            Statistic::P999 => p999,
            Statistic::Mean => total_ns / deadlines.max(1) as f64,
            Statistic::Missed => share(missed, deadlines),
            Statistic::Processor => share(processor_ns, elapsed_ns),
        })
    }

    /// For each of the shares, the smallest value that this share of all does not exceed. One pass finds them
    /// all: a comparison draws thousands of times, and most of its time is this.
    fn quantiles(&self, occurred: &[u64], deadlines: u64) -> [f64; SHARES.len()] {
        let mut seen = 0;
        let mut counts = occurred.iter().zip(&self.values_ns);
        let mut reached_ns = 0.0;
        SHARES.map(|share| {
            let rank = (deadlines as f64 * share).ceil().max(1.0);
            while (seen as f64) < rank {
                let Some((count, &nanos)) = counts.next() else {
                    return 0.0;
                };
                seen += count;
                reached_ns = nanos as f64;
            }
            reached_ns
        })
    }
}

/// For each statistic, the interval that contains the ratio of the other to the baseline at the
/// stated confidence; `None` if a resampled baseline is zero.
pub(super) fn ratios(
    baseline: &Resampler,
    other: &Resampler,
) -> [Option<(f64, f64)>; Statistic::ALL.len()] {
    let mut random = Rng::with_seed(SEED);
    let drawn: Vec<(Values, Values)> = (0..REPLICATES)
        .map(|_| (baseline.draw(&mut random), other.draw(&mut random)))
        .collect();
    std::array::from_fn(|index| {
        let ratios = drawn
            .iter()
            .map(|(before, after)| (before[index], after[index]));
        interval(ratios)
    })
}

fn interval(drawn: impl Iterator<Item = (f64, f64)>) -> Option<(f64, f64)> {
    let mut ratios = drawn
        .map(|(before, after)| (before > 0.0).then(|| after / before))
        .collect::<Option<Vec<_>>>()?;
    Some(ends(&mut ratios))
}
