//! A distribution as text for HdrHistogram's plotters.

use super::Distribution;
use crate::histogram::SIGNIFICANT_DIGITS;
use std::io::{self, Write};

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
