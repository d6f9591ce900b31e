//! What each sampler counts.

use super::{Number, Value, seconds, whole};
use crate::board::Series;
use crate::histogram::{BOUNDED, BOUNDS_NS, Histogram};
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// About how long the text of one processor and method is: it is 10 kB of 64 processors with large counts.
pub const BYTES: usize = 12 << 10;

/// The upper bounds in seconds. The encoder writes the last as `+Inf`.
const BOUNDS: [f64; BOUNDED + 1] = bounds();

#[allow(clippy::cast_precision_loss, reason = "bounds are far below 2^53")]
const fn bounds() -> [f64; BOUNDED + 1] {
    let mut bounds = [f64::MAX; BOUNDED + 1];
    let mut next = 0;
    while next < BOUNDED {
        bounds[next] = BOUNDS_NS[next] as f64 / 1e9;
        next += 1;
    }
    bounds
}

/// What a bucket's bound is called in its label `le`; `None` for the one without a bound.
pub fn bound(bucket: usize) -> Option<f64> {
    BOUNDS.get(bucket).copied().filter(|_| bucket < BOUNDED)
}

/// The series of a board, each with the number of its processor as text.
struct All<'a>(Vec<(&'a Series, String)>);

/// The labels of a series: the number of its processor as text, and its method.
type Labels<'a> = [(&'static str, Value<'a>); 2];

/// A histogram of a series.
type OfSeries = fn(&Series) -> &Histogram;

/// Writes all families of these series.
pub fn encode(out: &mut DescriptorEncoder<'_>, series: &[Arc<Series>]) -> fmt::Result {
    // A family without any sample has no meaning.
    if series.is_empty() {
        return Ok(());
    }
    let all = series
        .iter()
        .map(|series| (&**series, series.processor.to_string()));
    let all = All(all.collect());
    all.histograms(out)?;
    all.parts(out)?;
    all.of_each(
        out,
        (
            "missed",
            None,
            "Deadlines that had passed before their turn came.",
        ),
        |series| Number::Rises(whole(series.missed.load(Relaxed))),
    )?;
    all.of_each(
        out,
        (
            "rate",
            Some(hertz()),
            "How often the watch waits at present.",
        ),
        |series| Number::Is(whole(series.rate_millihertz.load(Relaxed)) / 1e3),
    )?;
    all.of_each(
            out,
            (
                "rate_asked",
                Some(hertz()),
                "How often the watch was asked to wait. It waits more rarely where it would use more than its budget.",
            ),
            |series| Number::Is(f64::from(series.asked_hertz.load(Relaxed))),
        )?;
    all.of_each(
            out,
            (
                "running",
                None,
                "Whether the watch is waiting there: 0 while the processor is offline or the method cannot be made.",
            ),
            |series| Number::Is(f64::from(u8::from(series.is_running.load(Relaxed)))),
        )?;
    all.of_each(
        out,
        (
            "watch_processor",
            Some(Unit::Seconds),
            "Processor time that the watch's own waits have used.",
        ),
        |series| Number::Rises(seconds(series.processor_ns.load(Relaxed))),
    )?;
    Ok(())
}

impl All<'_> {
    /// Two histograms of each series.
    #[allow(clippy::cast_precision_loss, reason = "a sum is told to 16 digits")]
    fn histograms(&self, out: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let families: [(&str, &str, OfSeries); 2] = [
            (
                "wakeup_lateness",
                "How long after its time each wait of the watch ended.",
                |series| &series.wakes,
            ),
            (
                "deadline_lateness",
                "How late each deadline of the watch was met, every missed one included.",
                |series| &series.deadlines,
            ),
        ];
        for (name, help, histogram) in families {
            let mut family =
                out.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Histogram)?;
            for (series, number) in &self.0 {
                let counts = histogram(series).read();
                let buckets: [(f64, u64); BOUNDED + 1] =
                    std::array::from_fn(|bucket| (BOUNDS[bucket], counts.counts[bucket]));
                family
                    .encode_family(&labels(series, number))?
                    .encode_histogram::<NoLabelSet>(
                        counts.sum_ns as f64 / 1e9,
                        counts.total(),
                        &buckets,
                        None,
                    )?;
            }
        }
        Ok(())
    }

    /// A family with one number of each series.
    fn of_each(
        &self,
        out: &mut DescriptorEncoder<'_>,
        (name, unit, help): (&str, Option<Unit>, &str),
        is: impl Fn(&Series) -> Number,
    ) -> fmt::Result {
        let Some((first, _)) = self.0.first() else {
            return Ok(());
        };
        let kind = is(first).kind();
        let mut family = out.encode_descriptor(name, help, unit.as_ref(), kind)?;
        for (series, number) in &self.0 {
            is(series).encode(&mut family.encode_family(&labels(series, number))?)?;
        }
        Ok(())
    }

    /// What both the timer and the queue have.
    fn parts(&self, out: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let mut family = out.encode_descriptor(
            "late",
            "Lateness of wake-ups by its part: until the thread was ready (timer), and while it was ready but not running (queue).",
            Some(&Unit::Seconds),
            MetricType::Counter,
        )?;
        for (series, number) in &self.0 {
            for (part, ns) in [("timer", &series.timer_ns), ("queue", &series.queue_ns)] {
                let [cpu, method] = labels(series, number);
                let with_part = [cpu, method, ("part", Value(part))];
                Number::Rises(seconds(ns.load(Relaxed)))
                    .encode(&mut family.encode_family(&with_part)?)?;
            }
        }
        Ok(())
    }
}

fn labels<'a>(series: &Series, number: &'a str) -> Labels<'a> {
    [("cpu", Value(number)), ("method", Value(series.method))]
}

fn hertz() -> Unit {
    Unit::Other("hertz".to_owned())
}
